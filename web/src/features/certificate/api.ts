import { queryOptions } from '@tanstack/react-query'
import { BackendError } from '@/lib/backend'
import { call } from '@/lib/functions'
import type { Answer } from '@/lib/read'

export type Certificate = {
  state: 'valid' | 'withdrawn'
  code: string
  holder: string
  course_title: string
  course_id: string | null
  instructor: string
  lessons: number
  seconds: number
  issued_at: string
  revoked_at: string | null
  /** The code that a phone reads, as the path of a drawing. */
  qr: { size: number; path: string }
}

/** What stands on the certificate of somebody without a name. */
export const nameless = 'A learner'

/** Whether a text can be a code; the server leads all other spellings to this one. */
export const isCode = (text: string) => /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(text)

/** The key under which the server puts what a code stands for. */
export const certificateKey = (code: string) => ['certificate', code] as const

/** What a code stands for: one row, or none. */
export const certificateQuery = (code: string) =>
  queryOptions({
    queryKey: certificateKey(code),
    queryFn: async ({ signal }): Promise<Answer<Certificate>> => {
      try {
        return { rows: [await call<Certificate>('certificate', { code }, signal)], total: null }
      } catch (error) {
        if (error instanceof BackendError && error.status === 404) return { rows: [], total: null }
        throw error
      }
    },
  })
