import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { grouped } from '@/lib/format'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { ErrorState } from '@/ui/error-state'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import { Row } from '@/ui/row'
import { Skeleton } from '@/ui/skeleton'
import type { CourseSummary } from './api'
import { CourseCard } from './course-card'

type CourseRowProps = {
  title: string
  read: Read<CourseSummary>
  /** Where the heading leads. */
  to?: string
  id?: string
  /** How its cards look: with their rank beside them, or wide with the time until they open. */
  look?: 'plain' | 'ranked' | 'wide'
}

// On a phone two cards are seen: those behind them wait, at the height of a card with two lines of title, which a row has.
const waiting = '[--ahead:calc(37.125vw+11.15rem)] max-sm:min-h-(--ahead) max-sm:nth-[n+3]:ahead'

const items = {
  plain: `w-[66vw] sm:w-[300px] ${waiting}`,
  ranked: `relative w-[calc(66vw+44px)] pl-11 sm:w-[364px] sm:pl-16 ${waiting}`,
  wide: 'w-[82vw] sm:w-[440px]',
}

/** A row of courses; nothing at all when there are none. */
export function CourseRow({ title, read, to, id, look = 'plain' }: CourseRowProps) {
  const { data, isLoadingError, refetch } = useQuery(readQuery(read))
  const heading = <RowHeading title={title} to={to} total={data?.total} />
  const item = clsx('shrink-0 snap-start', items[look])
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
        ? data.rows.map((course, index) => (
            <li key={course.id} className={item}>
              {look === 'ranked' && (
                <span
                  aria-hidden="true"
                  className="absolute top-[37.1vw] left-0 -translate-y-full font-serif text-[6rem] leading-[0.78] text-control sm:top-[169px] sm:text-[8.5rem]"
                >
                  {index + 1}
                </span>
              )}
              <CourseCard course={course} wide={look === 'wide'} />
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

type RowHeadingProps = { title: string; to?: string | undefined; total: number | null | undefined }

function RowHeading({ title, to, total }: RowHeadingProps): ReactNode {
  const heading = <h2 className="text-row font-semibold tracking-tight">{title}</h2>
  if (!to) return <div className="flex min-h-11 items-center">{heading}</div>
  return (
    <Link to={to} className="group/heading inline-flex min-h-11 flex-wrap items-center gap-x-4">
      {heading}{' '}
      <span className="inline-flex items-center gap-1 text-meta font-medium text-muted transition-colors group-hover/heading:text-accent">
        {total ? `See all ${grouped(total)}` : 'See all'}
        <Icon
          name="right"
          className="size-4 transition-transform duration-300 ease-out group-hover/heading:translate-x-1"
        />
      </span>
    </Link>
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
      <Skeleton className="mt-3 h-9 w-32" />
    </div>
  )
}
