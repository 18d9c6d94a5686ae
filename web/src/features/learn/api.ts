import { useQuery } from '@tanstack/react-query'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import type { RowOf } from '@/lib/rows'
import { useReaderId } from '@/lib/session'

const offerColumns = {
  id: 'string',
  course_id: 'string',
  price_cents: 'number?',
  open: 'boolean',
  strict: 'boolean',
  lessons: 'number',
  seconds: 'number',
  reviews: 'number',
  stars1: 'number',
  stars2: 'number',
  stars3: 'number',
  stars4: 'number',
  stars5: 'number',
  trailer_id: 'string?',
  published_at: 'string?',
} as const

const sectionColumns = { id: 'string', title: 'string' } as const

const lessonColumns = {
  id: 'string',
  section_id: 'string',
  title: 'string',
  // 'video' or 'quiz', or else something to read: a kind that this app does not know yet is no reason to show no lessons.
  kind: 'string',
  preview: 'boolean',
  release_days: 'number?',
  release_at: 'string?',
  seconds: 'number',
} as const

const enrollmentColumns = {
  id: 'string',
  course_id: 'string',
  completed_at: 'string?',
  revoked_at: 'string?',
  opened_all: 'boolean',
  created_at: 'string',
} as const

const progressColumns = { lesson_id: 'string', completed_at: 'string?', updated_at: 'string' } as const

export type Offer = RowOf<typeof offerColumns>
export type Section = RowOf<typeof sectionColumns>
export type Lesson = RowOf<typeof lessonColumns>
export type Enrollment = RowOf<typeof enrollmentColumns>
export type Done = RowOf<typeof progressColumns>

/** The terms of a course that can be taken, or that has a trailer; no row for all others. */
export const offerOf = (course: string): Read<Offer> => ({
  table: 'course_offers',
  columns: offerColumns,
  where: [['course_id', 'eq', course]],
  limit: 1,
})

export const sectionsOf = (course: string): Read<Section> => ({
  table: 'course_sections',
  columns: sectionColumns,
  where: [['course_id', 'eq', course]],
  order: [
    ['position', 'asc'],
    ['id', 'asc'],
  ],
  limit: 200,
})

/** The lessons that learners see, in their order: teachers would see their drafts too. */
export const lessonsOf = (course: string): Read<Lesson> => ({
  table: 'lessons',
  columns: lessonColumns,
  where: [
    ['course_id', 'eq', course],
    ['state', 'eq', 'published'],
  ],
  order: [
    ['position', 'asc'],
    ['id', 'asc'],
  ],
  limit: 500,
})

export const enrollmentOf = (user: string, course: string): Read<Enrollment> => ({
  table: 'enrollments',
  columns: enrollmentColumns,
  where: [
    ['user_id', 'eq', user],
    ['course_id', 'eq', course],
  ],
  limit: 1,
})

export const progressOf = (user: string, course: string): Read<Done> => ({
  table: 'lesson_progress',
  columns: progressColumns,
  where: [
    ['user_id', 'eq', user],
    ['course_id', 'eq', course],
  ],
  limit: 500,
})

/** What a page says of the lessons of a course: the sections that have some, and how long they take. */
export function useOutline(course: string) {
  const sections = useQuery(readQuery(sectionsOf(course)))
  const lessons = useQuery(readQuery(lessonsOf(course)))
  return {
    lessons: lessons.data?.rows,
    sections: sections.data?.rows,
    isLoadingError: sections.isLoadingError || lessons.isLoadingError,
    refetch: () => Promise.all([sections.refetch(), lessons.refetch()]),
  }
}

/** The reader's place in a course, and which lessons they have done; nothing is asked for without a session. */
export function useStanding(course: string) {
  const user = useReaderId()
  const enrollment = useQuery({ ...readQuery(enrollmentOf(user, course)), enabled: user !== '' })
  const row = enrollment.data?.rows[0]
  const isIn = row !== undefined && row.revoked_at === null
  const progress = useQuery({ ...readQuery(progressOf(user, course)), enabled: isIn })
  return {
    user,
    enrollment: isIn ? row : undefined,
    /** They took part until somebody ended it: enrolling again is not theirs to do. */
    isRevoked: row !== undefined && !isIn,
    isKnown: user !== '' && enrollment.data !== undefined && (!isIn || progress.data !== undefined),
    done: new Set((progress.data?.rows ?? []).flatMap((one) => (one.completed_at ? one.lesson_id : []))),
    /** The lesson that was watched last. */
    last: (progress.data?.rows ?? []).toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))[0]?.lesson_id,
  }
}

/** Whether somebody takes any course at all. */
export const anyEnrollment = (user: string): Read<Pick<Enrollment, 'id'>> => ({
  table: 'enrollments',
  columns: { id: 'string' },
  where: [['user_id', 'eq', user]],
  limit: 1,
})

/** The courses that somebody takes, as the cache knows them (calls.ts). */
export const learningKey = (user: string) => ['learning', user] as const
