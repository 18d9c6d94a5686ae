import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BackendError, isDuplicate, orThrow, rest } from '@/lib/backend'
import { readAnew, readQuery } from '@/lib/query'
import type { Answer, Read } from '@/lib/read'
import type { RowOf } from '@/lib/rows'
import { currentSession, useReaderId } from '@/lib/session'
import { toast } from '@/ui/toast'

const columns = { id: 'string', course_id: 'string?', course_title: 'string', created_at: 'string' } as const

export type Entry = RowOf<typeof columns>

export const entriesOf = (user: string): Read<Entry> => ({
  table: 'course_waitlist',
  columns,
  where: [['user_id', 'eq', user]],
  order: [['created_at', 'desc']],
})

/** The reader's waitlist, newest first; nothing is asked for without a session. */
export function useEntries() {
  const user = useReaderId()
  return useQuery({ ...readQuery(entriesOf(user)), enabled: user !== '', refetchOnWindowFocus: 'always' })
}

/** What an entry tells of the reader, as known at that moment. */
export function reader() {
  const user = currentSession().session?.user
  return { email: user?.email ?? '', name: (user?.user_metadata.name as string | undefined) || null }
}

export function usePatchEntries(user: string) {
  const client = useQueryClient()
  const { queryKey } = readQuery(entriesOf(user))
  return {
    patch: (change: (rows: Entry[]) => Entry[]) =>
      client.setQueryData<Answer<Entry>>(queryKey, (known) => known && { rows: change(known.rows), total: null }),
    snapshot: () => client.getQueryData<Answer<Entry>>(queryKey),
    restore: (known: Answer<Entry> | undefined) => client.setQueryData(queryKey, known),
    cancel: () => client.cancelQueries({ queryKey }),
    readAnew: () => readAnew(client, queryKey),
  }
}

/** The list with an entry that was just made. */
export const joined = (courseTitle: string) => (rows: Entry[]) => [
  { id: '', course_id: null, course_title: courseTitle, created_at: new Date().toISOString() },
  ...rows.filter((row) => row.course_title !== courseTitle),
]

/** Joins from a card. */
export function useJoin(courseTitle: string) {
  const user = useReaderId()
  const entries = usePatchEntries(user)
  return useMutation({
    mutationFn: async (): Promise<'added' | 'already'> => {
      const answer = await (await rest())
        .from('course_waitlist')
        .insert([{ user_id: user, course_title: courseTitle, email: reader().email }])
      if (isDuplicate(answer)) return 'already'
      orThrow(answer)
      return 'added'
    },
    onMutate: () => entries.cancel(),
    onSuccess: (outcome) => {
      entries.patch(joined(courseTitle))
      if (outcome === 'added') toast.success("Added to waitlist! We'll notify you when this course launches.")
      else toast.info("You're already on the waitlist!")
    },
    onError: (error) => {
      const reached = error instanceof BackendError && error.status > 0 && error.status !== 401
      toast.error((reached && error.message) || 'Failed to join waitlist')
    },
    onSettled: () => entries.readAnew(),
  })
}
