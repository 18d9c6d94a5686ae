import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { ErrorState } from '@/ui/error-state'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import { Row } from '@/ui/row'
import { Skeleton } from '@/ui/skeleton'
import type { CourseSummary } from './api'
import { type CardActions, CourseCard } from './course-card'

type CourseRowProps = {
  title: string
  read: Read<CourseSummary>
  actions: (course: CourseSummary) => CardActions
  /** Where the heading leads. */
  to?: string
  id?: string
}

const item = 'w-[66vw] shrink-0 snap-start sm:w-[300px]'

/** A row of courses; nothing at all when there are none. */
export function CourseRow({ title, read, actions, to, id }: CourseRowProps) {
  const { data, isLoadingError, refetch } = useQuery(readQuery(read))
  const heading = <RowHeading title={title} to={to} />
  if (isLoadingError) {
    return (
      <section id={id} aria-label={title} className="px-(--gutter)">
        {heading}
        <div className="mt-4">
          <ErrorState
            title="These courses could not be loaded"
            hint="The rest of the page still works."
            onRetry={() => void refetch()}
          />
        </div>
      </section>
    )
  }
  if (data?.rows.length === 0) return null
  return (
    <Row label={title} heading={heading} id={id}>
      {data
        ? data.rows.map((course) => (
            <li key={course.id} className={item}>
              <CourseCard course={course} actions={actions(course)} />
            </li>
          ))
        : Array.from({ length: 6 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all the same
            <li key={index} className={item}>
              <CardSkeleton />
            </li>
          ))}
    </Row>
  )
}

function RowHeading({ title, to }: { title: string; to?: string | undefined }): ReactNode {
  return (
    <h2 className="text-row font-semibold tracking-tight">
      {to ? (
        <Link to={to} className="group/heading inline-flex min-h-11 items-center gap-1.5">
          {title}
          <Icon
            name="right"
            className="size-5 text-faint transition-[transform,color] duration-300 ease-out group-hover/heading:translate-x-1 group-hover/heading:text-accent"
          />
        </Link>
      ) : (
        <span className="inline-flex min-h-11 items-center">{title}</span>
      )}
    </h2>
  )
}

export function CardSkeleton() {
  return (
    <div>
      <Skeleton className="aspect-video rounded-card" />
      <Skeleton className="mt-4 h-3 w-24" />
      <Skeleton className="mt-2.5 h-5 w-4/5" />
      <Skeleton className="mt-2.5 h-4 w-2/5" />
      <Skeleton className="mt-2 h-4 w-2/3" />
      <Skeleton className="mt-4 h-11 w-full sm:h-9" />
    </div>
  )
}
