import { useMutation, useQueryClient } from '@tanstack/react-query'
import { orThrow, rest } from '@/lib/backend'
import { readAnew, readQuery } from '@/lib/query'
import { waitAdvice } from '@/lib/wait'
import { toast } from '@/ui/toast'
import { featuredWorkshop } from './workshop'

/** What the form sends; a person leaves the reference empty, because they do not see it. */
export type Registration = { name: string; email: string; reference: string }

export function useRegister(workshopTitle: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, email, reference }: Registration) => {
      if (reference !== '') throw new Error('not filled in by a person')
      orThrow(await (await rest()).from('course_waitlist').insert({ name, email, course_title: workshopTitle }))
    },
    onSuccess: () => {
      toast.success("Success! You've been added to the waitlist. We'll be in touch soon!")
      onDone()
    },
    onError: (error) => toast.error('Failed to join waitlist. Please try again.', waitAdvice(error)),
    onSettled: () => void readAnew(client, readQuery(featuredWorkshop).queryKey),
  })
}
