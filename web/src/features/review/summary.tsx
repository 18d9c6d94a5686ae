import { grouped } from '@/lib/format'
import { Star } from '@/ui/icon'
import { isTheirs, type Tally } from './api'
import { counted } from './words'

const rows = [5, 4, 3, 2, 1] as const

/** A course's rating, whose it is, and how many gave each number of stars. */
export function Summary({ rating, tally }: { rating: number; tally: Tally }) {
  const theirs = isTheirs(tally)
  return (
    <div className="rounded-card border border-hairline bg-surface-1 p-6">
      <p className="flex items-baseline gap-2">
        <Star />
        <span className="font-serif text-[2rem] leading-none tabular-nums">{rating.toFixed(1)}</span>{' '}
        <span className="text-muted">· {theirs ? counted(tally.reviews, 'review') : 'Editors’ rating'}</span>
      </p>
      {theirs ? (
        <Bars tally={tally} />
      ) : (
        <p className="mt-4 text-meta text-muted">
          Once five learners have reviewed this course, its rating is the average of theirs.
        </p>
      )}
    </div>
  )
}

/** A bar for each number of stars. */
function Bars({ tally }: { tally: Tally }) {
  return (
    <ul className="mt-6 grid gap-2">
      {rows.map((stars) => {
        const many = tally[`stars${stars}`]
        return (
          <li key={stars} className="flex items-center gap-3 text-meta text-muted tabular-nums">
            <span className="w-12 whitespace-nowrap">{counted(stars, 'star')}</span>
            {/* Its length is an attribute: the page's policy allows no inline style. */}
            <svg
              aria-hidden="true"
              viewBox="0 0 100 100"
              preserveAspectRatio="none"
              className="h-1 min-w-0 flex-1 rounded-full text-gold"
            >
              <rect width="100" height="100" fill="currentColor" fillOpacity="0.15" />
              <rect width={(100 * many) / tally.reviews} height="100" fill="currentColor" />
            </svg>
            <span className="w-12 text-right">
              <span className="sr-only">: </span>
              {grouped(many)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
