import { useMutation } from '@tanstack/react-query'
import { isDuplicate, orThrow, rest } from '@/lib/backend'
import { useReaderId } from '@/lib/session'
import { toast } from '@/ui/toast'
import { joined, reader, usePatchEntries } from './api'

/** Joins from the course page, which looks first and also leaves a name. */
export function useJoinFromPage(courseTitle: string) {
  const user = useReaderId()
  const entries = usePatchEntries(user)
  return useMutation({
    mutationFn: async (): Promise<'added' | 'already'> => {
      const client = await rest()
      const table = () => client.from('course_waitlist')
      const { data } = orThrow(
        await table().select('id').eq('user_id', user).eq('course_title', courseTitle).maybeSingle(),
      )
      if (data) return 'already'
      const answer = await table().insert({ user_id: user, course_title: courseTitle, ...reader() })
      if (isDuplicate(answer)) return 'already'
      orThrow(answer)
      return 'added'
    },
    onMutate: () => entries.cancel(),
    onSuccess: (outcome) => {
      entries.patch(joined(courseTitle))
      if (outcome === 'added') toast.success('Added to waitlist')
      else toast.info('Already on waitlist')
    },
    onError: () => toast.error('Failed to join waitlist. Please try again.'),
    onSettled: () => entries.readAnew(),
  })
}
