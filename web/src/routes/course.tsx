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
import { Still } from '@/features/catalog/still'
import { ViewCertificate } from '@/features/certificate/view-certificate'
import { type Lesson, lessonsOf, type Offer, offerOf, sectionsOf } from '@/features/learn/api'
import { CourseOutline } from '@/features/learn/course-outline'
import { Enroll, isOpen, PriceLine } from '@/features/learn/enroll'
import { Trailer } from '@/features/learn/trailer'
import { reviewsOf } from '@/features/review/api'
import { CourseReviews } from '@/features/review/course-reviews'
import { RatedBy } from '@/features/review/rated-by'
import { Heart } from '@/features/saved/heart'
import { JoinOrLeave } from '@/features/waitlist/join-or-leave'
import type { HeadFacts } from '@/lib/head'
import type { Params, PlanContext } from '@/lib/page'
import { readQuery } from '@/lib/query'
import type { Answer, Read } from '@/lib/read'
import { isUuid } from '@/lib/uuid'
import { InTurn } from '@/startup/in-turn'
import { ErrorState } from '@/ui/error-state'
import { besideWords } from '@/ui/picture'

export const head: HeadFacts = { title: 'Course' }

export function plan({ params, answer }: PlanContext): Read<unknown>[] {
  if (!params.id || !isUuid(params.id)) return []
  const read = courseById(params.id)
  const offer = offerOf(params.id)
  const course = answer(read)?.rows[0]
  const lessons = answer(offer)?.rows[0]?.published_at
    ? [sectionsOf(params.id), lessonsOf(params.id), reviewsOf(params.id)]
    : []
  if (course) return [read, offer, ...lessons, moreInCategory(course), othersOfInstructor(course)]
  return answer(read) ? [read, suggestions] : [read, offer]
}

const none: readonly Lesson[] = []

/** On which terms a course can be taken, and its lessons; nothing for a course that cannot. */
function useTerms(id: string): { offer: Offer | undefined; lessons: readonly Lesson[] } {
  const { data } = useQuery({ ...readQuery(offerOf(id)), enabled: isUuid(id) })
  const offer = data?.rows[0]
  const { data: lessons } = useQuery({ ...readQuery(lessonsOf(id)), enabled: Boolean(offer?.published_at) })
  return { offer, lessons: lessons?.rows ?? none }
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
  const { offer, lessons } = useTerms(id)
  if (!isUuid(id) || (data && !course)) return <CourseNotFound suggestions={isUuid(id) && <Suggestions />} />
  const hasWayIn = offer !== undefined && lessons.length > 0
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
      rated={offer?.published_at && <RatedBy tally={offer} />}
      enroll={
        hasWayIn && (
          <>
            <Enroll course={course} offer={offer} lessons={lessons} />
            <ViewCertificate course={course.id} />
          </>
        )
      }
      terms={hasWayIn && <PriceLine course={course} offer={offer} lessons={lessons} />}
      wait={<JoinOrLeave courseTitle={course.title} isSecond={hasWayIn && isOpen(offer, course)} />}
      heart={<Heart courseId={course.id} title={course.title} />}
      story={
        <>
          <InTurn>
            <CourseStory
              course={course}
              trailer={
                offer?.trailer_id && (
                  <Trailer
                    video={offer.trailer_id}
                    title={course.title}
                    poster={course.thumbnail}
                    still={
                      <Still course={course} sizes={besideWords} className="still-edge aspect-video rounded-card" />
                    }
                  />
                )
              }
              outline={lessons.length > 0 && <CourseOutline course={course.id} lessons={lessons} />}
            />
          </InTurn>
          {offer?.published_at && (
            <InTurn>
              <CourseReviews course={course} tally={offer} />
            </InTurn>
          )}
        </>
      }
      more={
        <InTurn>
          <CourseRow title="More in this category" read={moreInCategory(course)} />
        </InTurn>
      }
    />
  )
}
