import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '@/lib/functions'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { useReaderId } from '@/lib/session'
import type { Play } from '@/ui/player/types'
import { learningKey } from './api'

export type LessonFile = { id: string; name: string; size: number; mimetype: string; url: string }

export type LessonAnswer = {
  lesson: {
    id: string
    course_id: string
    section_id: string
    title: string
    kind: 'text' | 'video' | 'quiz'
    seconds: number
    preview: boolean
    state: 'draft' | 'published'
  }
  access: 'open' | 'enroll' | 'locked'
  opens_at: string | null
  body: string
  video: Play | null
  files: LessonFile[]
  progress: { position_seconds: number; covered: string; completed_at: string | null } | null
  settings: { speed: number; captions: string } | null
}

/** What a lesson holds for this reader; their id is in the key, by which it goes when they do. */
export const lessonQuery = (user: string, lesson: string, draft: boolean) =>
  queryOptions({
    queryKey: ['lesson', user, lesson, draft],
    queryFn: ({ signal }) => call<LessonAnswer>('lesson', { lesson, ...(draft ? { draft } : {}) }, signal),
    // Its addresses live for hours, and what is read in them must not start anew meanwhile.
    staleTime: 10 * 60_000,
  })

/** The key under which the server puts what a stranger sees of a lesson. */
export const publicLessonKey = (lesson: string) => ['rest', 'lesson', lesson] as const

export type Learning = {
  course_id: string
  title: string
  instructor: string
  thumbnail: string
  enrolled_at: string
  completed_at: string | null
  revoked: boolean
  done: number
  of: number
  last_at: string | null
  next_lesson: string | null
  next_title: string | null
  /** When that lesson opens, where that is to come. */
  next_opens_at: string | null
  /** The code of the certificate that they hold of it. */
  certificate: string | null
  /** The code of the one that they held. */
  withdrawn_certificate: string | null
}

const certificateOf = (user: string, course: string): Read<{ code: string }> => ({
  table: 'certificates',
  columns: { code: 'string' },
  where: [
    ['user_id', 'eq', user],
    ['course_id', 'eq', course],
    ['revoked_at', 'is', 'null'],
  ],
  limit: 1,
})

/** The code of the certificate that the reader holds of a course that they are through with. */
export function useCertificate(course: string, isThrough: boolean): string | undefined {
  const user = useReaderId()
  const { data } = useQuery({ ...readQuery(certificateOf(user, course)), enabled: isThrough && user !== '' })
  return isThrough ? data?.rows[0]?.code : undefined
}

/** The courses that the reader takes, the one they were in last first. */
export const useLearning = () => {
  const user = useReaderId()
  return useQuery({
    queryKey: learningKey(user),
    queryFn: async ({ signal }) => (await call<{ courses: Learning[] }>('my-learning', {}, signal)).courses,
    enabled: user !== '',
    refetchOnWindowFocus: 'always',
    refetchOnMount: 'always',
  })
}
