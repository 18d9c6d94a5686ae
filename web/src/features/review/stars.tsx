import { counted } from './words'

const five = [1, 2, 3, 4, 5] as const

/** A star that was given, or the outline of one that was not. */
function Star({ given, className }: { given: boolean; className: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill={given ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      className={`shrink-0 ${given ? 'text-gold' : 'text-faint'} ${className}`}
    >
      <path d="m12 2.8 2.8 5.9 6.4.8-4.7 4.5 1.2 6.4-5.7-3.1-5.7 3.1 1.2-6.4L2.8 9.5l6.4-.8L12 2.8Z" />
    </svg>
  )
}

/** What somebody gave: so many of five. */
export function Stars({ given }: { given: number }) {
  return (
    <span role="img" aria-label={`${counted(given, 'star')} out of 5`} className="inline-flex gap-1">
      {five.map((star) => (
        <Star key={star} given={star <= given} className="size-4" />
      ))}
    </span>
  )
}

type StarsFieldProps = { given: number; onGive: (stars: number) => void; error: string }

/** Stars to give: arrow keys go through them, as through any choice of one. */
export function StarsField({ given, onGive, error }: StarsFieldProps) {
  return (
    <fieldset aria-describedby={error ? 'stars-error' : undefined}>
      <legend className="text-meta font-medium">Your rating</legend>
      <div className="-ml-3.5 flex items-center gap-1">
        {five.map((star) => (
          <label key={star} className="relative inline-flex size-11 cursor-pointer items-center justify-center">
            {/* It lies over its star, so that the focus is seen. */}
            <input
              type="radio"
              name="stars"
              value={star}
              checked={given === star}
              onChange={() => onGive(star)}
              aria-label={counted(star, 'star')}
              className="absolute inset-0 cursor-pointer appearance-none rounded-control"
            />
            <Star given={star <= given} className="size-6" />
          </label>
        ))}
        {given > 0 && <span className="text-meta text-muted">{counted(given, 'star')}</span>}
      </div>
      {error && (
        <p id="stars-error" role="alert" className="text-meta text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
