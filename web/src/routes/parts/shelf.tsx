import { useQuery } from '@tanstack/react-query'
import { coursesByIds } from '@/features/catalog/api'
import { Still } from '@/features/catalog/still'
import { readQuery } from '@/lib/query'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'

type ShelfProps = {
  title: string
  to: string
  /** The newest first; undefined until they are known. */
  ids: readonly string[] | undefined
  /** How many there are, also of those without a course. */
  count: number
  empty: string
}

/** What somebody keeps, at a glance: how much it is, and the pictures of the newest. */
export function Shelf({ title, to, ids, count, empty }: ShelfProps) {
  const newest = (ids ?? []).slice(0, 3)
  const { data } = useQuery({ ...readQuery(coursesByIds(newest)), enabled: newest.length > 0 })
  const courses = newest.flatMap((id) => data?.rows.find((course) => course.id === id) ?? [])
  return (
    <section aria-label={title}>
      <Link to={to} className="group/heading flex min-h-11 items-center gap-x-4">
        <h2 className="text-row font-semibold tracking-tight">{title}</h2>{' '}
        <span className="inline-flex items-center gap-1 text-meta font-medium text-muted transition-colors group-hover/heading:text-accent">
          {ids && count > 0 && (count === 1 ? '1 course' : `${count} courses`)}
          <Icon name="right" className="size-4" />
        </span>
      </Link>
      {ids && count === 0 ? (
        <p className="mt-1 text-muted">{empty}</p>
      ) : (
        <ul className="mt-3 grid min-h-24 grid-cols-3 gap-3">
          {courses.map((course) => (
            <li key={course.id}>
              <Link to={`/course/${course.id}`} className="group/card block">
                <Still course={course} className="still-edge aspect-video rounded-control" />
                <span className="mt-2 line-clamp-2 text-meta leading-snug group-hover/card:underline">
                  {course.title}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
