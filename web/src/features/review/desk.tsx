import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readQuery } from '@/lib/query'
import { Actions } from './actions'
import { type Review, reviewsOf } from './api'
import { useReports, useStanding } from './calls'
import { Said } from './course-reviews'
import { Own } from './own'

/** Without a review it is the reader's own. */
export type DeskProps = {
  course: string
  review?: Review | undefined
  /** Hears the id of the reader's own review, '' for none. */
  onOwn?: (id: string) => void
}

/** What a reader can do about reviews: write theirs, report, and what teachers and admins may. */
export function Desk({ course, review, onOwn }: DeskProps) {
  const { data: standing } = useStanding(course)
  const own = standing?.mine?.id ?? ''
  useEffect(() => {
    onOwn?.(own)
    return () => onOwn?.('')
  }, [onOwn, own])
  const { data: reports } = useReports(course, standing?.moderates === true)
  if (!standing) return null
  if (review)
    return (
      own !== review.id && (
        <Actions
          course={course}
          review={review}
          standing={standing}
          report={reports?.find(({ id }) => id === review.id)}
        />
      )
    )
  return (
    <>
      <Own course={course} standing={standing} />
      {standing.moderates && <Hidden course={course} />}
    </>
  )
}

/** What is hidden, for those who may show it again. */
function Hidden({ course }: { course: string }) {
  const { data } = useQuery(readQuery(reviewsOf(course, 100, 'hidden')))
  const rows = data?.rows ?? []
  if (rows.length === 0) return null
  return (
    <details>
      <summary className="flex min-h-11 cursor-pointer items-center font-medium">
        Hidden reviews ({rows.length})
      </summary>
      <ul className="border-b border-hairline">
        {rows.map((review) => (
          <li key={review.id} className="border-t border-hairline py-5">
            <Said review={review} actions={<Desk course={course} review={review} />} />
          </li>
        ))}
      </ul>
    </details>
  )
}
