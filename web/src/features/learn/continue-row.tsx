import type { ReactNode } from 'react'
import { Link } from '@/ui/link'
import { Row } from '@/ui/row'
import { type Learning, useLearning } from './calls'
import { doneOf, percent } from './words'

const most = 6

/** What its reader is in the middle of; nothing for who is not. */
export function ContinueRow({ still }: { still: (course: Learning) => ReactNode }) {
  const { data } = useLearning()
  const courses = (data ?? []).filter(
    ({ completed_at, revoked, next_lesson }) => !completed_at && !revoked && next_lesson,
  )
  if (courses.length === 0) return null
  return (
    <Row
      label="Continue Learning"
      heading={
        <div className="flex min-h-11 items-center">
          <h2 className="text-row font-semibold tracking-tight">Continue Learning</h2>
        </div>
      }
    >
      {courses.slice(0, most).map((course) => (
        <li key={course.course_id} className="w-[66vw] shrink-0 snap-start sm:w-[300px]">
          <article className="group/card relative">
            {still(course)}
            <div className="mt-3 h-1 overflow-hidden rounded-full bg-surface-3" aria-hidden="true">
              <div className="h-full bg-accent" style={{ width: `${percent(course.done, course.of)}%` }} />
            </div>
            <h3 className="mt-3 font-medium">
              <Link to={`/learn/${course.course_id}/${course.next_lesson}`} className="after:absolute after:inset-0">
                {course.title}
              </Link>
            </h3>
            <p className="mt-1 text-meta text-muted">{course.next_title}</p>
            <p className="mt-1 text-meta text-muted tabular-nums">{doneOf(course.done, course.of)}</p>
          </article>
        </li>
      ))}
    </Row>
  )
}
