import './learn.css'
import type { ReactNode } from 'react'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { Link } from '@/ui/link'
import { Skeleton } from '@/ui/skeleton'
import { type Learning, useLearning } from './calls'
import { doneOf, moment, percent } from './words'

type MyLearningProps = { still: (course: Learning) => ReactNode; suggestions: ReactNode }

/** The courses that somebody takes: those under way, then those that are done. */
export function MyLearning({ still, suggestions }: MyLearningProps) {
  const { data: courses, isLoadingError, refetch } = useLearning()
  if (isLoadingError)
    return (
      <ErrorState
        title="Your courses could not be loaded"
        hint="Your progress is safe."
        onRetry={() => void refetch()}
      />
    )
  if (!courses) return <LearningSkeleton />
  if (courses.length === 0)
    return (
      <EmptyState
        title="You haven't started a course yet"
        hint="Enroll in a course and it will wait for you here, where you left it."
        action={
          <Button asChild look="primary">
            <Link to="/">Browse Courses</Link>
          </Button>
        }
      >
        {suggestions}
      </EmptyState>
    )
  const isDone = ({ completed_at }: Learning) => completed_at !== null
  return (
    <>
      <Shelf title="In progress" courses={courses.filter((course) => !isDone(course))} still={still} />
      <Shelf title="Completed" courses={courses.filter(isDone)} still={still} />
    </>
  )
}

function Shelf({ title, courses, still }: { title: string; courses: Learning[] } & Pick<MyLearningProps, 'still'>) {
  if (courses.length === 0) return null
  return (
    <>
      <h2 className="learning-heading">{title}</h2>
      <ul className="learning-list">
        {courses.map((course) => (
          <li key={course.course_id}>
            <LearningCard course={course} still={still(course)} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Where a card leads: on with the course, or to its page where there is nothing to go on with. */
export const placeOf = ({ course_id, next_lesson, revoked }: Learning) =>
  next_lesson && !revoked ? `/learn/${course_id}/${next_lesson}` : `/course/${course_id}`

function LearningCard({ course, still }: { course: Learning; still: ReactNode }) {
  const { title, instructor, done, of, next_title, next_opens_at, completed_at, revoked } = course
  const certificate = course.certificate ?? course.withdrawn_certificate
  return (
    <article className="learning-card group/card">
      {still}
      <h3>
        <Link to={placeOf(course)}>{title}</Link>
      </h3>
      <p className="lesson-note">{instructor}</p>
      {certificate && (
        <Link to={`/certificate/${certificate}`} className="learning-certificate">
          {course.certificate ? 'View Certificate' : 'Certificate withdrawn'}
        </Link>
      )}
      {revoked ? (
        <p className="learning-next">Your access to this course has ended.</p>
      ) : (
        <>
          <progress
            className="lesson-progress"
            max={100}
            value={percent(done, of)}
            aria-label={`Progress in ${title}`}
          />
          <p className="lesson-note">{noteOf(course)}</p>
          {next_title && completed_at === null && (
            <p className="learning-next">
              Next: {next_title}
              {next_opens_at && ` · Opens ${moment(Date.parse(next_opens_at))}`}
            </p>
          )}
        </>
      )}
    </article>
  )
}

/** How far; and what came after somebody was through. */
function noteOf({ done, of, completed_at }: Learning): string {
  if (completed_at === null || done >= of) return doneOf(done, of)
  return of - done === 1 ? '1 new lesson' : `${of - done} new lessons`
}

export function LearningSkeleton() {
  return (
    <div role="status" aria-label="Loading your courses" className="learning-list">
      {['a', 'b', 'c'].map((key) => (
        <div key={key}>
          <Skeleton className="learning-still" />
          <Skeleton className="lesson-line" />
        </div>
      ))}
    </div>
  )
}
