import { useMutation, useQueryClient } from '@tanstack/react-query'
import { orThrow, rest } from '@/lib/backend'
import { useReaderId } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
import { toast } from '@/ui/toast'
import { type Entry, usePatchEntries } from './api'

/** Leaves a waitlist: gone at once, back when the server refuses. A press before the last one has shown is no second one. */
export function useLeave() {
  const user = useReaderId()
  const entries = usePatchEntries(user)
  const client = useQueryClient()
  const mutationKey = ['leave']
  const leaving = useMutation({
    mutationKey,
    mutationFn: async (entry: Entry) => {
      const removal = (await rest()).from('course_waitlist').delete()
      // An entry that was only just made is known by its title alone.
      orThrow(
        entry.id
          ? await removal.eq('id', entry.id)
          : await removal.eq('user_id', user).eq('course_title', entry.course_title),
      )
    },
    onMutate: async (entry) => {
      await entries.cancel()
      const before = entries.snapshot()
      entries.patch((rows) => rows.filter((row) => row.course_title !== entry.course_title))
      return before
    },
    onSuccess: () => toast.success('Removed from waitlist'),
    onError: (error, _entry, before) => {
      entries.restore(before)
      toast.error('Failed to remove from waitlist. Please try again.', waitAdvice(error))
    },
    onSettled: () => void entries.readAnew(),
  })
  const mutate: typeof leaving.mutate = (entry, options) => {
    const isUnderWay = client.isMutating({ mutationKey, predicate: ({ state }) => state.variables === entry }) > 0
    if (!isUnderWay) leaving.mutate(entry, options)
  }
  return { ...leaving, mutate }
}
