import type { ReactNode } from 'react'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { Link } from '@/ui/link'
import { Skeleton } from '@/ui/skeleton'
import { learnersWords, plural, type Teaching, useTeaching } from './api'
import type { Who } from './gate'
import { Badge } from './parts'

export type StillOf = (course: { id: string; category: string; thumbnail: string }) => ReactNode

/** The courses of a teacher; admins see every one that has a curriculum. */
export function CourseList({ who, still }: { who: Who; still: StillOf }) {
  const { isPending, isLoadingError, refetch } = useTeaching()
  if (isLoadingError)
    return (
      <ErrorState
        title="The courses could not be loaded"
        hint="The rest of the site still works."
        onRetry={() => void refetch()}
      />
    )
  if (isPending)
    return (
      <div className="grid gap-3">
        <Skeleton className="h-28 rounded-card" />
        <Skeleton className="h-28 rounded-card" />
      </div>
    )
  if (who.courses.length === 0)
    return (
      <EmptyState
        title="No course has a curriculum yet"
        hint="Open a course in the admin panel and choose Curriculum to write its first lesson."
        action={
          <Button asChild look="accent">
            <Link to="/admin">Open the Admin Panel</Link>
          </Button>
        }
      />
    )
  return (
    <>
      <ul aria-label="Courses" className="grid gap-3">
        {who.courses.map((course) => (
          <Line key={course.course_id} course={course} still={still} />
        ))}
      </ul>
      {who.isAdmin && (
        <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
          <Button asChild>
            <Link to="/admin">
              <Icon name="plus" />
              New course
            </Link>
          </Button>
          <p className="text-meta text-muted">Courses are made in the admin panel. Choose Curriculum there to begin.</p>
        </div>
      )}
    </>
  )
}

function Line({ course, still }: { course: Teaching; still: StillOf }) {
  const drafts = course.lessons - course.published
  return (
    <li className="relative grid grid-cols-[104px_minmax(0,1fr)] items-center gap-4 rounded-card border border-hairline bg-surface-1 p-3 transition-colors hover:bg-surface-2 sm:grid-cols-[168px_minmax(0,1fr)_auto] sm:gap-6 sm:pr-6">
      <span className="overflow-hidden rounded-control">
        {still({ id: course.course_id, category: '', thumbnail: course.thumbnail })}
      </span>
      <div className="min-w-0">
        <h2 className="text-lg leading-snug font-semibold">
          <Link
            to={`/teach/${course.course_id}`}
            className="line-clamp-2 after:absolute after:inset-0 after:rounded-card after:content-['']"
          >
            <bdi>{course.title}</bdi>
          </Link>
        </h2>
        <p className="mt-1 text-meta text-muted">
          {[
            course.published > 0 ? `${plural(course.published, 'lesson')} published` : 'Nothing published yet',
            drafts > 0 && plural(drafts, 'draft'),
            learnersWords(course.learners),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {!course.may_edit && (
          <p className="mt-2">
            <Badge>View only</Badge>
          </p>
        )}
      </div>
      <Icon name="right" className="text-muted max-sm:hidden" />
    </li>
  )
}
