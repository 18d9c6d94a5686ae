import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { parameter } from '@/lib/address'
import { Head } from '@/lib/head'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { Link } from '@/ui/link'
import { Skeleton } from '@/ui/skeleton'
import { type StudioCourse, useStudioCourse } from './api'
import { Back } from './back'
import { CurriculumTab } from './curriculum-tab'
import type { Who } from './gate'
import { LearnersTab } from './learners-tab'
import { LessonEditor } from './lesson-editor'
import { Badge } from './parts'
import type { QuizSlot } from './quiz-work'
import { SettingsTab } from './settings-tab'

export function NoCourse() {
  return (
    <EmptyState
      title="There is no such course"
      hint="It may have been deleted, or the link is mistyped."
      action={
        <Button asChild>
          <Link to="/teach">All courses</Link>
        </Button>
      }
    />
  )
}

type CourseStudioProps = { id: string; who: Who; questions: ReactNode; quiz: QuizSlot }

export function CourseStudio({ id, who, questions, quiz }: CourseStudioProps) {
  const { data: course, isLoadingError, refetch } = useStudioCourse(id)
  if (isLoadingError)
    return (
      <ErrorState
        title="The course could not be loaded"
        hint="The rest of the site still works."
        onRetry={() => void refetch()}
      />
    )
  if (course === undefined) return <Skeleton className="h-12 w-80" />
  if (course === null) return <NoCourse />
  const mayEdit = who.isAdmin || who.courses.some((one) => one.course_id === id && one.may_edit)
  return <Studio course={course} isAdmin={who.isAdmin} mayEdit={mayEdit} questions={questions} quiz={quiz} />
}

const tabs = { curriculum: 'Curriculum', questions: 'Questions', learners: 'Learners', settings: 'Settings' } as const
type Tab = keyof typeof tabs

type StudioProps = { course: StudioCourse; isAdmin: boolean; mayEdit: boolean; questions: ReactNode; quiz: QuizSlot }

const entry =
  "relative inline-flex min-h-12 shrink-0 items-center text-[0.9375rem] font-medium text-muted transition-colors after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:content-[''] hover:text-foreground focus-visible:outline-offset-[-3px] aria-[current]:text-foreground aria-[current]:after:bg-accent"

function Studio({ course, isAdmin, mayEdit, questions, quiz }: StudioProps) {
  const { search } = useLocation()
  const lesson = parameter(search, 'lesson')
  useFocus(course.id, lesson)
  const wanted = parameter(search, 'tab')
  const tab = (Object.keys(tabs) as Tab[]).find((one) => one === wanted) ?? 'curriculum'
  if (lesson) return <LessonEditor key={lesson} course={course} lesson={lesson} mayEdit={mayEdit} quiz={quiz} />
  return (
    <>
      <Head title={`Teach ${course.title}`} robots="noindex" />
      <Back to="/teach">Teach</Back>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h1 className="min-w-0 font-serif text-[2.25rem] leading-tight tracking-tight wrap-anywhere">
          <bdi>{course.title}</bdi>
        </h1>
        <div className="flex items-center gap-3">
          {!mayEdit && <Badge>View only</Badge>}
          <Button asChild size="small">
            <Link to={`/course/${course.id}`}>Course page</Link>
          </Button>
        </div>
      </div>
      <nav aria-label="Course" className="mb-6 flex gap-x-5 overflow-x-auto border-b border-hairline">
        {Object.entries(tabs).map(([one, name]) => (
          <Link
            key={one}
            to={`/teach/${course.id}${one === 'curriculum' ? '' : `?tab=${one}`}`}
            aria-current={tab === one ? 'page' : undefined}
            className={entry}
          >
            {name}
          </Link>
        ))}
      </nav>
      {tab === 'curriculum' && <CurriculumTab course={course.id} mayEdit={mayEdit} />}
      {tab === 'questions' && questions}
      {tab === 'learners' && <LearnersTab course={course.id} isAdmin={isAdmin} />}
      {tab === 'settings' && <SettingsTab course={course.id} isAdmin={isAdmin} mayEdit={mayEdit} />}
    </>
  )
}

/** A lesson is opened at its beginning, and left at its line in the list. */
function useFocus(course: string, lesson: string) {
  const last = useRef(lesson)
  useEffect(() => {
    if (last.current === lesson) return
    const line = document.querySelector<HTMLElement>(`a[href="/teach/${course}?lesson=${last.current}"]`)
    last.current = lesson
    const start = lesson === '' && line ? line : document.getElementById('content')
    start?.focus({ preventScroll: true })
  }, [course, lesson])
}
