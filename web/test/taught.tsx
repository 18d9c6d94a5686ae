import { Enroll } from '@/features/learn/enroll'
import { LessonScreen } from '@/features/learn/lesson-screen'
import { Quiz } from '@/features/quiz/quiz'
import { type Call, fakeBackend } from './backend'
import { reader, show } from './show'

// A course of two texts, and one reader who may take it.

export const course = { id: 'c1', title: 'The Room', coming_soon: false, instructor: 'Mara Ellison' }

export const offer = {
  id: 'o1',
  course_id: 'c1',
  price_cents: 0,
  open: true,
  strict: false,
  lessons: 2,
  seconds: 0,
  reviews: 0,
  stars1: 0,
  stars2: 0,
  stars3: 0,
  stars4: 0,
  stars5: 0,
  trailer_id: null,
  published_at: '2026-11-01T10:00:00Z',
}

export const lesson = (id: string, more: object = {}) => ({
  id,
  section_id: 's1',
  title: `Lesson ${id}`,
  kind: 'text',
  preview: false,
  release_days: null,
  release_at: null,
  seconds: 0,
  ...more,
})

export const lessons = [lesson('l1', { preview: true }), lesson('l2')]

export const enrollment = {
  id: 'e1',
  course_id: 'c1',
  completed_at: null,
  revoked_at: null,
  opened_all: false,
  created_at: '2026-11-10T10:00:00Z',
}

export const revoked = { ...enrollment, revoked_at: '2026-11-12T10:00:00Z' }

export const done = (id: string) => ({
  lesson_id: id,
  completed_at: '2026-11-11T10:00:00Z',
  updated_at: '2026-11-11T10:00:00Z',
})

export const answerOf = (id: string, more: object = {}) => ({
  lesson: { ...lesson(id), course_id: 'c1', state: 'published', preview: id === 'l1' },
  access: 'open',
  opens_at: null,
  body: 'Stand in the light.',
  video: null,
  files: [],
  progress: null,
  settings: null,
  ...more,
})

type Reply = ReturnType<Parameters<typeof fakeBackend>[0]>
type Answers = Record<string, (call: Call) => Reply>

/** The course as the server has it; what a test names is answered so. */
export function school(answers: Answers = {}) {
  const rows: Record<string, object[]> = {
    course_offers: [offer],
    course_sections: [{ id: 's1', title: 'First light' }],
    lessons,
  }
  return fakeBackend((call) => {
    const name = call.table.replace('/functions/v1/', '')
    const answer = answers[`${call.method} ${name}`] ?? answers[name]
    if (answer) return answer(call)
    if (name === 'lesson') return { status: 200, body: answerOf((call.body as { lesson: string }).lesson) }
    return { body: rows[name] ?? [] }
  })
}

export const showLesson = (id: string) =>
  show(
    <LessonScreen course={course} id={id} isPreview={false} still="" quiz={(place) => <Quiz {...place} />} />,
    `/learn/c1/${id}`,
  )

export const showEnroll = () => show(<Enroll course={course} offer={offer} lessons={lessons} />)

export { reader }
