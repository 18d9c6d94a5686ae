import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useIsAdmin } from '@/lib/auth-role'
import { run } from '@/lib/backend'
import { call } from '@/lib/functions'
import { readAnew } from '@/lib/query'
import type { Read } from '@/lib/read'
import type { RowOf } from '@/lib/rows'
import { useReaderId } from '@/lib/session'

const noteColumns = {
  id: 'string',
  lesson_id: 'string',
  at_seconds: 'number?',
  text: 'string',
  created_at: 'string',
} as const

const questionColumns = {
  id: 'string',
  lesson_id: 'string',
  at_seconds: 'number?',
  author_name: 'string',
  mine: 'boolean',
  title: 'string',
  text: 'string',
  answers: 'number',
  answered: 'boolean',
  pinned: 'boolean',
  hidden_at: 'string?',
  hidden_for: 'string?',
  hidden_by_admin: 'boolean',
  created_at: 'string',
} as const

const answerColumns = {
  id: 'string',
  author_name: 'string',
  mine: 'boolean',
  text: 'string',
  by_teacher: 'boolean',
  accepted: 'boolean',
  hidden_at: 'string?',
  hidden_for: 'string?',
  hidden_by_admin: 'boolean',
  created_at: 'string',
} as const

export type Note = RowOf<typeof noteColumns>
export type Question = RowOf<typeof questionColumns>
export type Answer = RowOf<typeof answerColumns>

/** The film beside which something is written: its moment, and the way back to one. */
export type Film = {
  now: () => number
  seek: (seconds: number) => void
  /** Stops it while somebody writes; what it gives back lets it go on. */
  hold: () => () => void
}

/** All that is read here goes with its reader: their id is in every key. */
const keyOf = (user: string, ...more: unknown[]) => ['discuss', user, ...more] as const

/** Reads anew what somebody has just changed. */
export const renew = (client: QueryClient, user: string) => readAnew(client, keyOf(user))

const reading = <Row>(user: string, name: string, of: string, read: Read<Row>) =>
  queryOptions({
    queryKey: keyOf(user, name, of, read.limit),
    queryFn: async ({ signal }) => (await run(read, signal)).rows,
    staleTime: 10_000,
  })

/** The notes of a course that are the reader's, or of one of its lessons. */
export function useNotes(course: string, lesson?: string) {
  const user = useReaderId()
  return useQuery({
    ...reading<Note>(user, 'notes', lesson ?? course, {
      table: 'lesson_notes',
      columns: noteColumns,
      where: [lesson ? ['lesson_id', 'eq', lesson] : ['course_id', 'eq', course]],
      order: [
        ['at_seconds', 'asc'],
        ['created_at', 'asc'],
      ],
      limit: 1000,
    }),
    enabled: user !== '',
  })
}

const lessonColumns = { id: 'string', title: 'string' } as const

/** The lessons of a course by name, in their order. */
export function useLessonTitles(course: string) {
  const user = useReaderId()
  return useQuery(
    reading<RowOf<typeof lessonColumns>>(user, 'lessons', course, {
      table: 'lessons',
      columns: lessonColumns,
      where: [['course_id', 'eq', course]],
      order: [
        ['position', 'asc'],
        ['id', 'asc'],
      ],
      limit: 500,
    }),
  )
}

/** The questions of a lesson: those that a teacher pinned first, then the newest. */
export function useQuestions(lesson: string, limit: number) {
  const user = useReaderId()
  return useQuery({
    ...reading<Question>(user, 'questions', lesson, {
      table: 'lesson_questions',
      columns: questionColumns,
      where: [['lesson_id', 'eq', lesson]],
      order: [
        ['pinned', 'desc'],
        ['created_at', 'desc'],
      ],
      limit,
    }),
    placeholderData: (known) => known,
  })
}

/** One question by its id, which a link may lead to. */
export function useQuestion(id: string) {
  const user = useReaderId()
  const read: Read<Question> = {
    table: 'lesson_questions',
    columns: questionColumns,
    where: [['id', 'eq', id]],
    limit: 1,
  }
  return useQuery({ ...reading(user, 'question', id, read), enabled: id !== '' && user !== '' })
}

export function useAnswers(question: string, isWanted: boolean) {
  const user = useReaderId()
  return useQuery({
    ...reading<Answer>(user, 'answers', question, {
      table: 'lesson_answers',
      columns: answerColumns,
      where: [['question_id', 'eq', question]],
      order: [
        ['accepted', 'desc'],
        ['created_at', 'asc'],
      ],
      limit: 200,
    }),
    enabled: isWanted,
  })
}

const teacherColumns = { id: 'string', mine: 'boolean' } as const

/** What the reader is to a course besides a learner: who teaches it answers as a teacher, and admins mind it as well. */
export function useRole(course: string) {
  const user = useReaderId()
  const teachers = useQuery({
    ...reading<RowOf<typeof teacherColumns>>(user, 'teachers', course, {
      table: 'course_teachers',
      columns: teacherColumns,
      where: [['course_id', 'eq', course]],
      limit: 100,
    }),
    staleTime: 60_000,
    enabled: user !== '',
  })
  const admin = useIsAdmin(user)
  const teaches = teachers.data?.some(({ mine }) => mine) ?? false
  return { teaches, minds: teaches || admin.data === true }
}

/** What a reader, who is not named, said of a question or of an answer to it. */
export type Flag = { kind: 'question' | 'answer'; id: string; reason: string }

export type Asked = Omit<Question, 'mine'> & { lesson_title: string; reports: number; flags: Flag[] }

type Page = { questions: Asked[]; next: string; unanswered: number; reported: number }

/** A page of a course's questions as its teachers see them. */
export const askedQuery = (user: string, course: string, only: '' | 'reported') => ({
  queryKey: keyOf(user, 'asked', course, only),
  queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
    call<Page>('questions', { course, cursor: pageParam, only }, signal),
  initialPageParam: '',
  getNextPageParam: ({ next }: Page) => next || undefined,
  staleTime: 0,
})
