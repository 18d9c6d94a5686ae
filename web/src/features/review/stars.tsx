import { clsx } from 'clsx'
import { Star } from '@/ui/icon'
import { counted } from './words'

const five = [1, 2, 3, 4, 5] as const

/** What somebody gave: so many of five. */
export function Stars({ given }: { given: number }) {
  return (
    <span role="img" aria-label={`${counted(given, 'star')} out of 5`} className="inline-flex gap-0.5">
      {five.map((star) => (
        <Star key={star} {...(star > given ? { className: 'text-surface-3!' } : {})} />
      ))}
    </span>
  )
}

type StarsFieldProps = { given: number; onGive: (stars: number) => void; error: string }

/** Stars to give: arrow keys go through them, as through any choice of one. */
export function StarsField({ given, onGive, error }: StarsFieldProps) {
  return (
    <fieldset aria-describedby={error ? 'stars-error' : undefined} className="grid justify-items-start gap-1">
      <legend className="text-meta font-medium">Your rating</legend>
      <div className="-ml-2 flex items-center">
        {five.map((star) => (
          <label
            key={star}
            className="inline-flex size-11 cursor-pointer items-center justify-center rounded-control has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name="stars"
              value={star}
              checked={given === star}
              onChange={() => onGive(star)}
              aria-label={counted(star, 'star')}
              aria-invalid={error ? true : undefined}
              className="sr-only"
            />
            <Star className={clsx('size-7!', star > given && 'text-control!')} />
          </label>
        ))}
        {given > 0 && <span className="ml-2 text-meta text-muted">{counted(given, 'star')}</span>}
      </div>
      {error && (
        <p id="stars-error" role="alert" className="text-meta text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
