import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { rest, settled } from '@/lib/backend'
import { readAnew, readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { toast } from '@/ui/toast'

export type Workshop = {
  id: string
  title: string
  host: string
  about: string
  learn: string
  date_text: string
  starts_at: string | null
  time_text: string
  duration_minutes: number
  spots: number
  spots_left: number
}

export const featuredWorkshop: Read<Workshop> = {
  table: 'workshops',
  select: 'id,title,host,about,learn,date_text,starts_at,time_text,duration_minutes,spots,spots_left',
  order: [['id', 'asc']],
  limit: 1,
}

// The page may come from a cache: how many spots are left is asked for again.
const workshopQuery = () => ({ ...readQuery(featuredWorkshop), staleTime: 0 })

export function useWorkshop() {
  return useQuery(workshopQuery())
}

export const lessonsOf = (workshop: Workshop) => workshop.learn.split('\n').filter((line) => line.trim() !== '')

/** What the form sends; a person leaves the reference empty, because they do not see it. */
export type Registration = { name: string; email: string; reference: string }

export function useRegister(workshopTitle: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, email, reference }: Registration) => {
      if (reference !== '') throw new Error('not filled in by a person')
      settled(await (await rest()).from('course_waitlist').insert({ name, email, course_title: workshopTitle }))
    },
    onSuccess: () => {
      toast.success("Success! You've been added to the waitlist. We'll be in touch soon!")
      onDone()
    },
    onError: () => toast.error('Failed to join waitlist. Please try again.'),
    onSettled: () => readAnew(client, workshopQuery().queryKey),
  })
}
