import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isDuplicate, orThrow, rest, run } from '@/lib/backend'
import { keys } from '@/lib/keys'
import { readAnew } from '@/lib/query'
import type { Read } from '@/lib/read'
import type { RowOf } from '@/lib/rows'
import { useReaderId } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
import { toast } from '@/ui/toast'

const columns = { id: 'string', course_id: 'string' } as const

const most = 1000

const savedBy = (user: string, offset: number): Read<RowOf<typeof columns>> => ({
  table: 'saved_courses',
  columns,
  where: [['user_id', 'eq', user]],
  order: [
    ['created_at', 'desc'],
    ['id', 'asc'],
  ],
  offset,
  limit: most,
})

async function allSaved(user: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; ; offset += most) {
    const { rows } = await run(savedBy(user, offset), signal)
    ids.push(...rows.map((row) => row.course_id))
    if (rows.length < most) return ids
  }
}

const savedIds = (user: string) =>
  queryOptions({
    queryKey: keys.saved(user),
    queryFn: ({ signal }) => allSaved(user, signal),
    enabled: user !== '',
    // Another tab may have changed it meanwhile.
    refetchOnWindowFocus: 'always',
  })

/** The ids of the courses that the reader saved; nothing is asked for without a session. */
export const useSavedIds = () => useQuery(savedIds(useReaderId()))

/** Whether the reader saved a course, once that is known. Of all the hearts of a page only that one is drawn anew. */
export const useIsSaved = (courseId: string) =>
  useQuery({ ...savedIds(useReaderId()), select: (ids) => ids.includes(courseId) }).data

/**
 * Saves a course or takes it off the list: shown at once, taken back when the server refuses. A press before the last one
 * has shown wants the same again, and is no second one.
 */
export function useToggleSaved(courseId: string) {
  const user = useReaderId()
  const client = useQueryClient()
  const key = keys.saved(user)
  // Quick second thoughts reach the server in the order in which they were had.
  const scope = { id: `saved-${courseId}` }
  const toggle = useMutation({
    mutationKey: key,
    scope,
    mutationFn: async (save: boolean): Promise<string> => {
      const table = (await rest()).from('saved_courses')
      const answer = save
        ? await table.insert({ user_id: user, course_id: courseId })
        : await table.delete().eq('user_id', user).eq('course_id', courseId)
      if (save && isDuplicate(answer)) return 'Already in My List'
      orThrow(answer)
      return save ? 'Added to My List' : 'Removed from My List'
    },
    onMutate: async (save) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData<string[]>(key)
      // A list that is not known yet stays so: one entry must not pass for all of it.
      if (before) {
        const others = before.filter((id) => id !== courseId)
        client.setQueryData(key, save ? [courseId, ...others] : others)
      }
      return before
    },
    onSuccess: (outcome) => (outcome.startsWith('Already') ? toast.info : toast.success)(outcome),
    onError: (error, _save, before) => {
      client.setQueryData(key, before)
      toast.error('Failed to update saved courses', waitAdvice(error))
    },
    onSettled: async () => {
      if (client.isMutating({ mutationKey: key }) === 1) await readAnew(client, key)
    },
  })
  const mutate = (save: boolean) => {
    const underWay = client.getMutationCache().findAll({
      status: 'pending',
      predicate: ({ options }) => options.scope?.id === scope.id,
    })
    if (underWay.at(-1)?.state.variables !== save) toggle.mutate(save)
  }
  return { ...toggle, mutate }
}
