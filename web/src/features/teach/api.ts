import { queryOptions, useQuery } from '@tanstack/react-query'
import { BackendError } from '@/lib/backend'
import { call } from '@/lib/functions'
import { ownKeys } from '@/lib/own-keys'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import type { RowOf } from '@/lib/rows'
import { useReaderId } from '@/lib/session'

/** Everything that the studio keeps goes with the person who asked for it. */
export function useTeachKey() {
  return ownKeys.teach(useReaderId())
}

/** What the server said, or else what did not work. */
export const refusalOr = (error: unknown, fallback: string) =>
  error instanceof BackendError && error.status > 0 && error.status < 500 ? error.message : fallback

export type Teaching = {
  course_id: string
  title: string
  thumbnail: string
  may_edit: boolean
  lessons: number
  published: number
  learners: number
}

/** The courses that somebody teaches; for admins all that have a curriculum. */
export function useTeaching() {
  const key = useTeachKey()
  return useQuery(
    queryOptions({
      queryKey: [...key, 'courses'],
      queryFn: ({ signal }) => call<{ courses: Teaching[] }>('teaching', {}, signal),
      select: ({ courses }) => courses,
      staleTime: 0,
    }),
  )
}

const courseColumns = { id: 'string', title: 'string', category: 'string', thumbnail: 'string' } as const

export type StudioCourse = RowOf<typeof courseColumns>

const courseOf = (id: string): Read<StudioCourse> => ({
  table: 'courses',
  columns: courseColumns,
  where: [['id', 'eq', id]],
  limit: 1,
})

export const useStudioCourse = (id: string) =>
  useQuery({ ...readQuery(courseOf(id)), select: ({ rows }) => rows[0] ?? null })

/** A video on its way to being watched. */
export type Preparing = {
  id: string
  state: 'waiting' | 'playable' | 'ready' | 'refused'
  job: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | ''
  progress: number
  error: string
  problem: string
  /** What this machine lacks to prepare any. */
  missing: string
}

export const isUnderWay = (video: Preparing | null | undefined) => video?.job === 'queued' || video?.job === 'running'

/** How long a film is, as a clock: 8:05, 1:02:03. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

export const plural = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

/** The server counts learners to one beyond a thousand. */
export const learnersWords = (count: number) => (count > 1000 ? '1,000+ learners' : plural(count, 'learner'))
