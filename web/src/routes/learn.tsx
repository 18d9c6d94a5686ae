import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { courseById, gelOf } from '@/features/catalog/api'
import { CourseNotFound } from '@/features/catalog/course-fallbacks'
import { Suggestions } from '@/features/catalog/courses-of'
import { Still } from '@/features/catalog/still'
import { lessonsOf, offerOf, sectionsOf } from '@/features/learn/api'
import { type Learning, publicLessonKey } from '@/features/learn/calls'
import { type Below, LessonScreen } from '@/features/learn/lesson-screen'
import { LearningSkeleton, MyLearning } from '@/features/learn/my-learning'
import { Quiz } from '@/features/quiz/quiz'
import { parameter } from '@/lib/address'
import { Head, type HeadFacts } from '@/lib/head'
import { useLater } from '@/lib/later'
import type { Params, PlanContext, ServerCall } from '@/lib/page'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { RequireSession } from '@/lib/require-session'
import { useReaderId } from '@/lib/session'
import { isUuid } from '@/lib/uuid'
import { useHydrated } from '@/startup/hydrated'
import { ErrorState } from '@/ui/error-state'
import { Link } from '@/ui/link'
import { PageTitle } from '@/ui/page-title'

export const head: HeadFacts = { title: 'My Learning', description: 'The courses you take.' }

export function plan({ params: { course = '' } }: PlanContext): Read<unknown>[] {
  return isUuid(course) ? [courseById(course), offerOf(course), sectionsOf(course), lessonsOf(course)] : []
}

/** What anybody may see of a lesson is in the server's page. */
export function calls({ params: { course = '', lesson = '' }, answer }: PlanContext): ServerCall[] {
  const shown = answer(lessonsOf(course))?.rows.find(({ id }) => id === lesson)
  return shown?.preview ? [{ key: publicLessonKey(lesson), name: 'lesson', body: { lesson } }] : []
}

export function Page({ params: { course, lesson } }: { params: Params }) {
  if (course === undefined) return <Mine />
  if (lesson === undefined) return <Navigate to={`/course/${course}`} replace />
  if (lesson === 'notes') return <Notes course={course} />
  return <Lesson course={course} id={lesson} />
}

const loadDiscuss = () => import('@/features/discuss/discuss').then((module) => module.Discuss)

/** Notes and questions come when the lesson stands: nobody waits for them before it. */
function Discussion({ course, ...at }: Below & { course: string }) {
  const [Discuss, bring] = useLater(loadDiscuss)
  const user = useReaderId()
  useEffect(() => {
    if (user !== '') void bring()
  }, [user, bring])
  return Discuss && <Discuss course={course} {...at} />
}

const loadNotes = () => import('@/features/discuss/notes-screen').then((module) => module.NotesScreen)

function Notes({ course: id }: { course: string }) {
  const [NotesScreen, bring] = useLater(loadNotes)
  const { data, isLoadingError, refetch } = useQuery({ ...readQuery(courseById(id)), enabled: isUuid(id) })
  const course = data?.rows[0]
  useEffect(() => void bring(), [bring])
  if (!isUuid(id) || (data && !course)) return <CourseNotFound suggestions={null} />
  return (
    <div className="page">
      <Head title={course ? `Notes · ${course.title}` : 'Notes'} robots="noindex" />
      <PageTitle lead={course && <Link to={`/course/${course.id}`}>{course.title}</Link>}>Notes</PageTitle>
      {isLoadingError ? (
        <ErrorState title="Your notes could not be loaded" hint="They are safe." onRetry={() => void refetch()} />
      ) : (
        <RequireSession pending={null}>{() => course && NotesScreen && <NotesScreen course={course} />}</RequireSession>
      )}
    </div>
  )
}

function Lesson({ course: id, id: lesson }: { course: string; id: string }) {
  const { search } = useLocation()
  // The server's page is the same for everybody, whatever its address asks for.
  const isPreview = useHydrated() && parameter(search, 'preview') === '1'
  const isPlace = isUuid(id) && isUuid(lesson)
  const { data, isLoadingError, refetch } = useQuery({ ...readQuery(courseById(id)), enabled: isPlace })
  const course = data?.rows[0]
  if (!isPlace || (data && !course)) return <CourseNotFound suggestions={null} />
  if (isLoadingError)
    return (
      <div className="page">
        <ErrorState
          title="This lesson could not be loaded"
          hint="Your progress is safe."
          onRetry={() => void refetch()}
        />
      </div>
    )
  if (!course) return <div className="lesson-main" aria-busy="true" />
  return (
    <div data-gel={gelOf(course.category)}>
      <LessonScreen
        key={lesson}
        course={course}
        id={lesson}
        isPreview={isPreview}
        still={course.thumbnail}
        below={(at) => <Discussion course={id} {...at} />}
        quiz={(place) => <Quiz {...place} />}
      />
    </div>
  )
}

function Mine() {
  return (
    <div className="page-wide">
      <Head {...head} robots="noindex" />
      <PageTitle>My Learning</PageTitle>
      <RequireSession pending={<LearningSkeleton />}>
        {() => <MyLearning still={stillOf} suggestions={<Suggestions />} />}
      </RequireSession>
    </div>
  )
}

const stillOf = ({ course_id, thumbnail }: Learning) => (
  <Still course={{ id: course_id, thumbnail, category: '' }} className="learning-still still-edge" />
)
