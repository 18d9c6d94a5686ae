import { useQuery } from '@tanstack/react-query'
import { BackendError } from '@/lib/backend'
import { call } from '@/lib/functions'
import { type Pages, useAdminKey, useFeed } from './pages'
import { pageLength } from './reads'

export const states = ['waiting', 'sending', 'failed', 'sent'] as const
export type State = (typeof states)[number]

export type Email = {
  id: string
  kind: string
  recipient: string
  subject: string
  state: State
  attempts: number
  last_error: string
  next_at: string | null
  created_at: string
  sent_at: string | null
}

type Answer = { letters: Email[]; next: string; counts: Record<State, number> }

const seconds = 1000

/** The letters in a state or in any, newest first, kept up to date while they are on their way. */
export function useEmails(state: State | ''): Pages<Email> {
  return useFeed<Email, string>({
    key: ['mail', state],
    first: '',
    fetch: async (cursor, signal) => {
      const { letters, next } = await call<Answer>('mail', { state, cursor, limit: pageLength }, signal)
      return { rows: letters, next: next || undefined }
    },
    onFailure: (error) => console.error('The emails could not be loaded.', error),
    every: 5 * seconds,
  })
}

function useOverview(every: number) {
  const admin = useAdminKey()
  return useQuery({
    queryKey: [...admin, 'pages', 'mail', 'counts'],
    queryFn: ({ signal }) => call<Answer>('mail', { limit: 1 }, signal),
    refetchInterval: ({ state }) => (state.error ? false : every),
  })
}

/** How many letters there are in each state, looked up again after so many seconds. */
export const useEmailCounts = (every: number): Record<State, number> | undefined =>
  useOverview(every * seconds).data?.counts

/** Whether the server takes the reader for no admin, though they hold the role. */
export function useIsRefused(): boolean {
  const { error } = useOverview(60 * seconds)
  return error instanceof BackendError && error.status === 403
}
