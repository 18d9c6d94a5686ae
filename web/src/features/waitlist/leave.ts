import { useMutation } from '@tanstack/react-query'
import { orThrow, rest } from '@/lib/backend'
import { useReaderId } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
import { toast } from '@/ui/toast'
import { type Entry, usePatchEntries } from './api'

/** Leaves a waitlist: gone at once, back when the server refuses. */
export function useLeave() {
  const user = useReaderId()
  const entries = usePatchEntries(user)
  return useMutation({
    mutationFn: async (entry: Entry) => {
      const leaving = (await rest()).from('course_waitlist').delete()
      // An entry that was only just made is known by its title alone.
      orThrow(
        entry.id
          ? await leaving.eq('id', entry.id)
          : await leaving.eq('user_id', user).eq('course_title', entry.course_title),
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
}
