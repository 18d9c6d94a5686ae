import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchAsCaller, orThrow, rest } from '@/lib/backend'
import { save } from '@/lib/download'
import { call } from '@/lib/functions'
import { toast } from '@/ui/toast'
import { refusalOr, useTeachKey } from './api'

export type Learner = {
  enrollment: string
  name: string
  /** For admins alone. */
  email?: string
  enrolled_at: string
  last_at: string | null
  done: number
  of: number
  completed_at: string | null
  revoked_at: string | null
  opened_all: boolean
  /** The code of their certificate, also of one that was withdrawn. */
  certificate: string | null
}

type Page = { learners: Learner[]; next: string | null }

export function useLearners(course: string) {
  const key = useTeachKey()
  return useInfiniteQuery({
    queryKey: [...key, 'learners', course],
    queryFn: ({ pageParam, signal }) => call<Page>('learners', { course, cursor: pageParam, limit: 50 }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
    staleTime: 0,
  })
}

export type Stage = { id: string; title: string; reached: number; completed: number }

export function useFunnel(course: string) {
  const key = useTeachKey()
  return useQuery({
    queryKey: [...key, 'funnel', course],
    queryFn: ({ signal }) => call<{ learners: number; lessons: Stage[] }>('funnel', { course }, signal),
    staleTime: 0,
  })
}

/** Reads everything about learners again. */
function useRenew(course: string) {
  const client = useQueryClient()
  const key = useTeachKey()
  return () =>
    Promise.all(['learners', 'funnel'].map((part) => client.invalidateQueries({ queryKey: [...key, part, course] })))
}

export function useGrant(course: string) {
  const renew = useRenew(course)
  return useMutation({
    mutationFn: (email: string) => call('grant-course', { course, email }),
    onSuccess: async () => {
      toast.success('Access granted')
      await renew()
    },
    onError: (error) => toast.error(refusalOr(error, 'Failed to grant access. Please try again.')),
  })
}

type Change = { revoked_at?: string | null; revoked_for?: string | null; opened_all?: boolean }

export function useChangeEnrollment(course: string) {
  const renew = useRenew(course)
  return useMutation({
    mutationFn: async ({ id, said: _, ...change }: Change & { id: string; said: string }) => {
      orThrow(await (await rest()).from('enrollments').update(change).eq('id', id).select('id').single())
    },
    onSuccess: async (_, { said }) => {
      toast.success(said)
      await renew()
    },
    onError: (error) => toast.error(refusalOr(error, 'Failed to save the change. Please try again.')),
  })
}

/** All learners of a course as a file. */
export function useExport(course: string) {
  return useMutation({
    mutationFn: async () => {
      const answer = await fetchAsCaller(`${location.origin}/functions/v1/export-learners?course=${course}`)
      if (!answer.ok) throw new Error(`the export answered ${answer.status}`)
      // The bytes as they are: read as text they would lose the mark that tells a spreadsheet the encoding.
      save(await answer.blob(), `learners-${new Date().toISOString().slice(0, 10)}.csv`)
    },
    onSuccess: () => toast.success('Data exported successfully'),
    onError: () => toast.error('Failed to export data'),
  })
}
