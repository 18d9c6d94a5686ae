import { useQuery } from '@tanstack/react-query'
import { call } from '@/lib/functions'
import { Link } from '@/ui/link'
import { useAdminKey } from './pages'

type Reported = { id: string; course_id: string; course_title: string; count: number; reports: { reason: string }[] }

const none: { reviews: Reported[]; more: boolean } = { reviews: [], more: false }

/** The reviews that somebody reported and nobody has looked at yet; they are dealt with where they stand. Nothing where there are none. */
export function ReportedReviews() {
  const key = useAdminKey()
  const { data: { reviews, more } = none } = useQuery({
    queryKey: [...key, 'reported reviews'],
    queryFn: ({ signal }) => call<typeof none>('reported-reviews', {}, signal),
    staleTime: 0,
  })
  if (reviews.length === 0) return null
  return (
    <section aria-label="Reported reviews" className="mb-6 rounded-card border border-hairline bg-surface-1 p-4">
      <h2 className="font-medium">
        {reviews.length === 1 ? 'A review was reported' : `${reviews.length}${more ? '+' : ''} reviews were reported`}
      </h2>
      <ul className="mt-2">
        {reviews.map(({ id, course_id, course_title, count, reports }) => (
          <li key={id} className="wrap-anywhere">
            <Link
              to={`/course/${course_id}#reviews`}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              {course_title}
            </Link>
            <span className="text-muted">
              {' · '}
              {reports.map(({ reason }) => reason).join(' · ')}
              {count > reports.length && ` · ${count} reports`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
