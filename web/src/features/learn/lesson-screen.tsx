import './learn.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { parameter } from '@/lib/address'
import { Head } from '@/lib/head'
import { useNow } from '@/lib/now'
import { readQuery } from '@/lib/query'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { Link } from '@/ui/link'
import { Markdown } from '@/ui/markdown'
import { Skeleton } from '@/ui/skeleton'
import { type Lesson, type Offer, offerOf, useOutline, useStanding } from './api'
import { type LessonAnswer, useCertificate } from './calls'
import { LockDrawing } from './drawings'
import { type Course, Enroll, isOpen, PriceLine } from './enroll'
import { type Film, useHeldFilm } from './film'
import { grouped } from './grouped'
import { useKeptFocus } from './kept-focus'
import { Complete, Files, Gate, Steps } from './lesson-parts'
import { type Saved, useIsAway, waitingOf } from './save'
import { OutlineSheet, Side } from './side'
import { useLesson } from './use-lesson'
import { startOf, useProgress } from './use-progress'
import { VideoLesson } from './video-lesson'
import { moment, readingTime } from './words'

type LessonScreenProps = {
  course: Course & { instructor: string }
  id: string
  isPreview: boolean
  /** The course's picture, before a film that has none yet. */
  still: string
  /** What stands below a lesson that is open to its reader. */
  below?: (at: Below) => ReactNode
  quiz: (place: QuizPlace) => ReactNode
}

export type Below = { lesson: string; film: Film | null; isEnrolled: boolean }

/** Where a quiz stands. */
export type QuizPlace = { lesson: string; draft: boolean; next: ReactNode; onSaved: (saved: Saved) => void }

/** A lesson, and beside it the course that it belongs to. */
export function LessonScreen({ course, id, isPreview, still, below, quiz }: LessonScreenProps) {
  const outline = useOutline(course.id)
  const { data: offers } = useQuery(readQuery(offerOf(course.id)))
  const { user, enrollment, isRevoked, isKnown, done } = useStanding(course.id)
  const lesson = useLesson(id, isPreview)
  const progress = useProgress({ ...lesson, isEnrolled: enrollment !== undefined })
  const now = useNow() ?? 0
  const isAway = useIsAway()
  const lessons = outline.lessons ?? []
  const index = lessons.findIndex((one) => one.id === id)
  const groups = grouped(outline.sections ?? [], lessons)
  const shown = lessons[index] ?? lesson.answer?.lesson
  const offer = offers?.rows[0]
  const isDone = lesson.answer?.progress ? lesson.answer.progress.completed_at !== null : done.has(id)
  const marked = new Set(done)
  if (isDone) marked.add(id)
  else marked.delete(id)
  // What waits for the network is done for who did it.
  if (isAway) for (const one of lessons) if (waitingOf(one.id)?.complete) marked.add(one.id)
  const isThrough = enrollment !== undefined && index >= 0 && lessons.every((one) => marked.has(one.id))
  const certificate = useCertificate(course.id, isThrough && !isAway)
  const isTeacher = lesson.answer?.access === 'open' && !enrollment && !lesson.answer.lesson.preview
  // Who looks into a lesson that anybody may see finds the way in where a learner goes on.
  const isLooking = !enrollment && !isTeacher && !isPreview && (user === '' || isKnown)
  const way = isLooking && offer && (isRevoked || isOpen(offer, course)) && (
    <>
      <Enroll course={course} offer={offer} lessons={lessons} />
      <PriceLine course={course} offer={offer} lessons={lessons} className="" />
    </>
  )
  const wayIn = lesson.answer?.access === 'open' && way
  const side = { course, groups, current: id, done: marked, enrollment, isFree: isTeacher || isPreview, now, wayIn }

  if (lesson.isMissing && outline.lessons) return <Missing course={course} />
  const place = groups.find(({ lessons }) => lessons.some((one) => one.id === id))?.section.title
  return (
    <div className="lesson">
      <Head
        title={shown ? `${shown.title} · ${course.title}` : course.title}
        description={`A lesson of ${course.title} by ${course.instructor}.`}
        {...(lesson.answer?.lesson.preview ? {} : { robots: 'noindex' })}
        {...(outline.lessons && index < 0 ? { status: 404 as const } : {})}
      />
      <div className="lesson-main">
        {isPreview && (
          <p role="status" className="lesson-bar">
            Preview. Learners see the published version.
          </p>
        )}
        {isAway && (
          <p role="status" className="lesson-bar">
            You are offline. Your progress is kept and sent later.
          </p>
        )}
        <Content
          course={course}
          still={still}
          quiz={(more) => quiz({ lesson: id, draft: isPreview, onSaved: progress.take, ...more })}
          offer={offer}
          lessons={lessons}
          index={index}
          lesson={lesson}
          progress={progress}
          isComplete={isDone}
          certificate={certificate}
          wayIn={wayIn}
          below={isPreview ? undefined : (film) => below?.({ lesson: id, film, isEnrolled: enrollment !== undefined })}
          heading={
            <header className="lesson-head">
              <p className="lesson-place">
                <Link to={`/course/${course.id}`}>{course.title}</Link>
                {place && <span>{place}</span>}
              </p>
              <h1>{shown?.title ?? <Skeleton className="lesson-line" />}</h1>
            </header>
          }
        />
      </div>
      <OutlineSheet {...side} />
      <Side {...side} />
    </div>
  )
}

type ContentProps = {
  course: LessonScreenProps['course']
  still: string
  quiz: (more: Pick<QuizPlace, 'next'>) => ReactNode
  offer: Offer | undefined
  lessons: readonly Lesson[]
  index: number
  lesson: ReturnType<typeof useLesson>
  progress: ReturnType<typeof useProgress>
  isComplete: boolean
  certificate: string | undefined
  wayIn: ReactNode
  below: ((film: Film | null) => ReactNode) | undefined
  heading: ReactNode
}

function Content(props: ContentProps) {
  const {
    course,
    still,
    quiz,
    offer,
    lessons,
    index,
    lesson,
    progress,
    isComplete,
    certificate,
    wayIn,
    below,
    heading,
  } = props
  const kept = useKeptFocus<HTMLDivElement>('button, a')
  const navigate = useNavigate()
  const { state, search } = useLocation()
  const { answer } = lesson
  const [film, follow] = useHeldFilm(progress.follow)
  const next = lessons[index + 1]
  // A place that was begun at is not begun at again when an answer comes anew.
  const [begun] = useState<{ id: string; start: number }>(() => ({ id: '', start: 0 }))
  if (lesson.isFailed)
    return (
      <>
        {heading}
        <ErrorState
          title="This lesson could not be loaded"
          hint="Your progress is safe."
          onRetry={() => void lesson.refetch()}
        />
      </>
    )
  if (!answer) return <Waiting heading={heading} kind={lessons[index]?.kind} />
  if (begun.id !== answer.lesson.id) {
    const wanted = parameter(search, 't')
    Object.assign(begun, { id: answer.lesson.id, start: /^\d+$/.test(wanted) ? Number(wanted) : startOf(answer) })
  }
  const finish = () => {
    if (answer.lesson.kind === 'text' && progress.counts && !isComplete) void progress.complete(true)
  }
  const foot = (
    <>
      <Files files={answer.files} />
      {(progress.counts || wayIn) && (
        <div className="lesson-complete" {...kept}>
          {progress.counts ? (
            <Complete
              kind={answer.lesson.kind}
              isComplete={isComplete}
              isStrict={offer?.strict ?? false}
              onComplete={(done) => void progress.complete(done)}
            />
          ) : (
            wayIn
          )}
        </div>
      )}
      {index >= 0 && (
        <Steps course={course.id} previous={lessons[index - 1]} next={next} certificate={certificate} onNext={finish} />
      )}
      {answer.access === 'open' && below?.(answer.lesson.kind === 'video' ? film : null)}
    </>
  )
  if (answer.access !== 'open')
    return (
      <>
        {heading}
        <Shut answer={answer} course={course} offer={offer} lessons={lessons} />
        {foot}
      </>
    )
  if (answer.lesson.kind === 'quiz')
    return (
      <article className="lesson-text">
        {heading}
        {answer.body && <Markdown text={answer.body} />}
        {quiz({
          next: next && (
            <Button asChild look="accent">
              <Link to={`/learn/${course.id}/${next.id}`}>Next Lesson</Link>
            </Button>
          ),
        })}
        {foot}
      </article>
    )
  if (answer.lesson.kind !== 'video')
    return (
      <article className="lesson-text">
        {heading}
        <p className="lesson-note lesson-reading">{readingTime(answer.body)} min read</p>
        <Markdown text={answer.body} />
        {foot}
      </article>
    )
  return (
    <>
      <VideoLesson
        play={answer.video}
        isKnown={lesson.isKnown}
        still={still}
        title={answer.lesson.title}
        artist={course.title}
        renew={lesson.renew}
        start={begun.start}
        autoplay={(state as { plays?: boolean } | null)?.plays === true}
        taste={answer.settings && { speed: answer.settings.speed / 100, captions: answer.settings.captions }}
        onTaste={progress.keepTaste}
        follow={follow}
        hasNotes={progress.counts}
        next={
          next && {
            title: next.title,
            onGo: (plays) =>
              void navigate(`/learn/${course.id}/${next.id}`, { state: { plays: plays || next.kind === 'video' } }),
          }
        }
      />
      {heading}
      {answer.body && <Markdown text={answer.body} />}
      {foot}
    </>
  )
}

type ShutProps = { answer: LessonAnswer; course: Course; offer: Offer | undefined; lessons: readonly Lesson[] }

function Shut({ answer, course, offer, lessons }: ShutProps) {
  if (answer.access === 'locked' && answer.opens_at)
    return (
      <Gate
        mark={<LockDrawing />}
        title={`Opens ${moment(Date.parse(answer.opens_at))}`}
        hint="It is part of your course and opens on its own."
      />
    )
  return (
    <Gate mark={<LockDrawing />} title="This lesson is for enrolled learners">
      {offer && <Enroll course={course} offer={offer} lessons={lessons} />}
    </Gate>
  )
}

function Waiting({ heading, kind }: { heading: ReactNode; kind: Lesson['kind'] | undefined }) {
  if (kind !== undefined && kind !== 'video')
    return (
      <div className="lesson-text" aria-busy="true">
        {heading}
        {[90, 100, 96, 70].map((width) => (
          <Skeleton key={width} className="lesson-line" />
        ))}
      </div>
    )
  return (
    <div aria-busy="true">
      <div className="lesson-screen" />
      {heading}
    </div>
  )
}

function Missing({ course }: { course: Course }) {
  return (
    <div className="page">
      <Head title="Lesson not found" robots="noindex" status={404} />
      <h1 className="sr-only">Lesson not found</h1>
      <EmptyState
        title="Lesson not found"
        hint="It may have been taken out of the course, or the link is incomplete."
        action={
          <Button asChild look="primary">
            <Link to={`/course/${course.id}`}>Back to the course</Link>
          </Button>
        }
      />
    </div>
  )
}
