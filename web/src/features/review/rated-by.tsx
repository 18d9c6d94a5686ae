import { isTheirs, type Tally } from './api'
import { counted } from './words'

/** Whose number a rating is, beside it: its editors', or that of so many learners. */
export function RatedBy({ tally }: { tally: Pick<Tally, 'reviews'> }) {
  return (
    <span className="text-muted">
      {'· '}
      {isTheirs(tally) ? (
        <a href="#reviews" className="py-1 underline decoration-hairline underline-offset-4 hover:decoration-current">
          {counted(tally.reviews, 'review')}
        </a>
      ) : (
        'Editors’ rating'
      )}
    </span>
  )
}
