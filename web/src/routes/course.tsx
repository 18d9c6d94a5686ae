import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Course,
  type CourseSummary,
  courseById,
  moreInCategory,
  othersOfInstructor,
  suggestions,
} from '@/features/catalog/api'
import { CourseNotFound, CourseSkeleton } from '@/features/catalog/course-fallbacks'
import { CoursePage } from '@/features/catalog/course-page'
import { CourseRow } from '@/features/catalog/course-row'
import { CourseStory } from '@/features/catalog/course-story'
import { Suggestions } from '@/features/catalog/courses-of'
import { Heart } from '@/features/saved/heart'
import { JoinOrLeave } from '@/features/waitlist/join-or-leave'
import type { HeadFacts } from '@/lib/head'
import type { Params, PlanContext } from '@/lib/page'
import { readQuery } from '@/lib/query'
import type { Answer, Read } from '@/lib/read'
import { isUuid } from '@/lib/uuid'
import { InTurn } from '@/startup/in-turn'
import { ErrorState } from '@/ui/error-state'

export const head: HeadFacts = { title: 'Course' }

export function plan({ params, answer }: PlanContext): Read<unknown>[] {
  if (!params.id || !isUuid(params.id)) return []
  const read = courseById(params.id)
  const course = answer(read)?.rows[0]
  if (course) return [read, moreInCategory(course), othersOfInstructor(course)]
  return answer(read) ? [read, suggestions] : [read]
}

const untold = { description: '', learn: '', audience: '', outcome: '', instructor_bio: '', created_at: '' }

/** What the card that led here knew, so that the page stands at once. */
function fromCard(client: QueryClient, id: string): Answer<Course> | undefined {
  for (const [, answer] of client.getQueriesData<Answer<CourseSummary>>({})) {
    const course = Array.isArray(answer?.rows)
      ? answer.rows.find((row) => row.id === id && 'thumbnail' in row)
      : undefined
    if (course) return { rows: [{ ...untold, ...course }], total: null }
  }
  return undefined
}

export function Page({ params: { id = '' } }: { params: Params }) {
  const client = useQueryClient()
  const { data, isLoadingError, refetch } = useQuery({ ...readQuery(courseById(id)), enabled: isUuid(id) })
  const course = (data ?? fromCard(client, id))?.rows[0]
  if (!isUuid(id) || (data && !course)) return <CourseNotFound suggestions={isUuid(id) && <Suggestions />} />
  const failed = isLoadingError && (
    <div className="page">
      <ErrorState
        title="This course could not be loaded"
        hint="The rest of the site still works."
        onRetry={() => void refetch()}
      />
    </div>
  )
  if (!course) return failed || <CourseSkeleton />
  return (
    <CoursePage
      course={course}
      failed={failed}
      wait={<JoinOrLeave courseTitle={course.title} />}
      heart={<Heart courseId={course.id} title={course.title} />}
      story={
        <InTurn>
          <CourseStory course={course} />
        </InTurn>
      }
      more={
        <InTurn>
          <CourseRow title="More in this category" read={moreInCategory(course)} />
        </InTurn>
      }
    />
  )
}
