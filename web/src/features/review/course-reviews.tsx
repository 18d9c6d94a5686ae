import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useLater } from '@/lib/later'
import { readQuery } from '@/lib/query'
import { useReaderId } from '@/lib/session'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { page, type Review, reviewsOf, type Tally } from './api'
import type { DeskProps } from './desk'
import { Stars } from './stars'
import { Summary } from './summary'
import { dayOf } from './words'

const loadDesk = () => import('./desk').then((module) => module.Desk)

type CourseReviewsProps = { course: { id: string; rating: number }; tally: Tally }

/** What learners say of a course, on its page. What a reader may do with it comes once it is known who they are. */
export function CourseReviews({ course, tally }: CourseReviewsProps) {
  const reader = useReaderId()
  const [Desk, bring] = useLater<DeskProps>(loadDesk)
  useEffect(() => {
    if (reader) void bring()
  }, [reader, bring])
  // What the reader said themselves stands at their desk alone.
  const [own, setOwn] = useState('')
  const desk = (review?: Review) =>
    Desk && reader && <Desk key={reader} course={course.id} {...(review ? { review } : { onOwn: setOwn })} />
  return (
    <section id="reviews" aria-label="Reviews" className="px-(--gutter) pb-16 wrap-anywhere">
      <h2 tabIndex={-1} className="border-t border-hairline pt-14 text-row font-semibold tracking-tight">
        Reviews
      </h2>
      <div className="mt-5 grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,52rem)_minmax(280px,340px)] lg:justify-between">
        <div className="self-start lg:order-2">
          <Summary rating={course.rating} tally={tally} />
        </div>
        <div className="grid content-start gap-8">
          {desk()}
          <List course={course.id} total={tally.reviews} own={own} actions={desk} />
        </div>
      </div>
    </section>
  )
}

type ListProps = { course: string; total: number; own: string; actions: (review: Review) => ReactNode }

function List({ course, total, own, actions }: ListProps) {
  const [limit, setLimit] = useState(page)
  const { data, isLoadingError, isPlaceholderData, refetch } = useQuery({
    ...readQuery(reviewsOf(course, limit)),
    placeholderData: keepPreviousData,
  })
  if (isLoadingError)
    return (
      <ErrorState
        title="The reviews could not be loaded"
        hint="The rest of the page still works."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Skeleton className="h-24" />
  const others = data.rows.filter(({ id }) => id !== own)
  if (others.length === 0) return own ? null : <p className="text-muted">No reviews yet.</p>
  return (
    <div>
      <ul className="border-b border-hairline">
        {others.map((review) => (
          <li key={review.id} className="border-t border-hairline py-5">
            <Said review={review} actions={actions(review)} />
          </li>
        ))}
      </ul>
      {total > data.rows.length && (
        <Button className="mt-6" aria-disabled={isPlaceholderData} onClick={() => setLimit(data.rows.length + page)}>
          {isPlaceholderData ? 'Loading...' : 'Show more reviews'}
        </Button>
      )}
    </div>
  )
}

/** One review, and what was answered. */
export function Said({ review, actions }: { review: Review; actions?: ReactNode }) {
  const { author_name, stars, text, reply, created_at, updated_at } = review
  return (
    <article aria-label={`Review by ${author_name}`} className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <bdi className="font-medium">{author_name}</bdi>
        <Stars given={stars} />
        <span className="text-meta text-muted">
          {dayOf(created_at)}
          {updated_at > created_at && ' · Edited'}
        </span>
      </div>
      {text && (
        <p dir="auto" className="max-w-[65ch] leading-relaxed whitespace-pre-line text-soft">
          {text}
        </p>
      )}
      {reply && (
        <div className="mt-2 rounded-control bg-surface-1 px-4 py-3">
          <p className="text-meta font-medium">Reply from the instructor</p>
          <p dir="auto" className="mt-1 max-w-[65ch] leading-relaxed whitespace-pre-line text-soft">
            {reply}
          </p>
        </div>
      )}
      {actions}
    </article>
  )
}
