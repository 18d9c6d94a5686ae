import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BackendError, isDuplicate, orThrow, rest } from '@/lib/backend'
import { readAnew, readQuery } from '@/lib/query'
import type { Answer, Read } from '@/lib/read'
import type { RowOf } from '@/lib/rows'
import { currentSession, useReaderId } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
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
export const useEntries = () => useQuery(ownEntries(useReaderId()))

const ownEntries = (user: string) => ({
  ...readQuery(entriesOf(user)),
  enabled: user !== '',
  refetchOnWindowFocus: 'always' as const,
})

/** Whether the reader waits for a course, once that is known. Of all the cards of a page only that one is drawn anew. */
export const useIsWaiting = (courseTitle: string) =>
  useQuery({
    ...ownEntries(useReaderId()),
    select: ({ rows }) => rows.some((entry) => entry.course_title === courseTitle),
  }).data

/** What an entry tells of the reader, as known at that moment. */
export function reader() {
  const user = currentSession().session?.user
  return { email: user?.email ?? '', name: (user?.user_metadata.name as string | undefined) || null }
}

export function usePatchEntries(user: string) {
  const client = useQueryClient()
  // Made when it is wanted: every card of a page has one of these.
  const key = () => readQuery(entriesOf(user)).queryKey
  return {
    patch: (change: (rows: Entry[]) => Entry[]) =>
      client.setQueryData<Answer<Entry>>(key(), (known) => known && { rows: change(known.rows), total: null }),
    snapshot: () => client.getQueryData<Answer<Entry>>(key()),
    restore: (known: Answer<Entry> | undefined) => client.setQueryData(key(), known),
    cancel: () => client.cancelQueries({ queryKey: key() }),
    readAnew: () => readAnew(client, key()),
  }
}

type Outcome = 'added' | 'already'
type NewEntry = { user_id: string; course_title: string; email: string; name?: string | null }

/** Who waits already goes on waiting. */
export async function addEntry(entry: NewEntry | NewEntry[]): Promise<Outcome> {
  const answer = await (await rest()).from('course_waitlist').insert(entry)
  if (isDuplicate(answer)) return 'already'
  orThrow(answer)
  return 'added'
}

type Words = Record<Outcome, string> & { failed: (error: Error) => string }

/** A way to join, and what it says. A press before the last one has shown is no second one. */
export function useAddEntry(courseTitle: string, add: (user: string) => Promise<Outcome>, words: Words) {
  const user = useReaderId()
  const entries = usePatchEntries(user)
  const client = useQueryClient()
  const mutationKey = ['join', courseTitle]
  const joining = useMutation({
    mutationKey,
    mutationFn: () => add(user),
    onMutate: () => entries.cancel(),
    onSuccess: (outcome) => {
      entries.patch((rows) => [
        { id: '', course_id: null, course_title: courseTitle, created_at: new Date().toISOString() },
        ...rows.filter((row) => row.course_title !== courseTitle),
      ])
      if (outcome === 'added') toast.success(words.added)
      else toast.info(words.already)
    },
    onError: (error) => toast.error(words.failed(error), waitAdvice(error)),
    onSettled: () => void entries.readAnew(),
  })
  return { ...joining, mutate: () => client.isMutating({ mutationKey }) === 0 && joining.mutate() }
}

/** The press that joins, for who has to sign in first. */
export const joining = (courseTitle: string) => ({
  button: `wait ${courseTitle}`,
  words: `join the waitlist for ${courseTitle}`,
  takesAccount: true,
})

/** Joins from a card. */
export const useJoin = (courseTitle: string) =>
  useAddEntry(courseTitle, (user) => addEntry([{ user_id: user, course_title: courseTitle, email: reader().email }]), {
    added: "Added to waitlist! We'll notify you when this course launches.",
    already: "You're already on the waitlist!",
    failed: (error) => {
      const reached = error instanceof BackendError && error.status > 0 && error.status !== 401
      return (reached && error.message) || 'Failed to join waitlist'
    },
  })
