import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BackendError, isDuplicate, orThrow, rest } from '@/lib/backend'
import { call } from '@/lib/functions'
import { keys } from '@/lib/keys'
import { readAnew } from '@/lib/query'
import { selectOf } from '@/lib/read'
import { rowsOf } from '@/lib/rows'
import { useReaderId } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
import { toast } from '@/ui/toast'
import { type Review, reviewsOf, type Standing, standingKey } from './api'

/** Whether the reader may review a course, and what they said of it. */
export function useStanding(course: string) {
  const user = useReaderId()
  return useQuery(
    queryOptions({
      queryKey: standingKey(user, course),
      queryFn: ({ signal }) => call<Standing>('review-state', { course }, signal),
      enabled: user !== '',
      refetchOnMount: 'always',
    }),
  )
}

/** How often a review was reported, and what the last of them said. */
export type Report = { id: string; count: number; reports: { reason: string }[] }

/** The reviews of a course that were reported, for those who look at them. */
export function useReports(course: string, enabled: boolean) {
  const user = useReaderId()
  return useQuery({
    queryKey: [...standingKey(user, course), 'reports'],
    queryFn: async ({ signal }) => (await call<{ reviews: Report[] }>('reported-reviews', { course }, signal)).reviews,
    enabled,
  })
}

/** Reads again all that a review changes: its course's stars and rating, wherever they show. */
function useAnew(course: string) {
  const client = useQueryClient()
  const user = useReaderId()
  // Nobody waits for it: what was pressed is done.
  return () =>
    void readAnew(
      client,
      standingKey(user, course),
      keys.table('course_reviews'),
      keys.table('course_offers'),
      keys.table('courses'),
    )
}

export const unseen = 'Finish a lesson first, then tell others what you think.'

/** What is said to those who take the course and may not review it. */
export const refusals: Partial<Record<Standing['why'], string>> = {
  watch: unseen,
  confirm: 'Confirm your email address in Settings first, then tell others what you think.',
  reviewed: 'You have already reviewed this course.',
}

/** Writes the reader's review of a course, or changes it. */
export function useSaveReview(course: string, id: string | undefined) {
  const client = useQueryClient()
  const user = useReaderId()
  const anew = useAnew(course)
  return useMutation({
    mutationFn: async (said: { stars: number; text: string }) => {
      const table = (await rest()).from('course_reviews')
      const answer = await (id ? table.update(said).eq('id', id) : table.insert({ course_id: course, ...said })).select(
        selectOf(reviewsOf(course)),
      )
      // Said a moment ago, in another tab: what is there shows now.
      if (isDuplicate(answer)) return undefined
      const [mine] = rowsOf<Review>(reviewsOf(course).columns, orThrow(answer).data)
      if (!mine) throw new BackendError('nothing was changed', 404)
      return mine
    },
    onSuccess: (mine) => {
      if (mine)
        client.setQueryData<Standing>(standingKey(user, course), (known) => known && { ...known, may: true, mine })
      toast.success(id ? 'Review updated' : 'Thank you for your review!')
    },
    onError: (error) =>
      error instanceof BackendError && error.status === 403
        ? toast.error(unseen)
        : toast.error('Failed to save your review. Please try again.', waitAdvice(error)),
    onSettled: anew,
  })
}

export function useDeleteReview(course: string, id: string) {
  const anew = useAnew(course)
  return useMutation({
    mutationFn: async () => orThrow(await (await rest()).from('course_reviews').delete().eq('id', id)),
    onSuccess: () => toast.success('Review deleted'),
    onError: (error) => toast.error('Failed to delete your review. Please try again.', waitAdvice(error)),
    onSettled: anew,
  })
}

const acts = {
  'report-review': ['Thank you. We will look at it.', 'Failed to send your report. Please try again.'],
  'reply-review': ['Reply posted', 'Failed to post your reply. Please try again.'],
  'hide-review': ['Review hidden', 'Failed to hide the review. Please try again.'],
  'show-review': ['Review shown', 'Failed to show the review. Please try again.'],
} as const

export type Act = keyof typeof acts

/** What somebody does with another's review. */
export function useAct(course: string, review: string) {
  const anew = useAnew(course)
  return useMutation({
    mutationFn: ({ act, words }: { act: Act; words?: string }) =>
      call(act, {
        review,
        ...(act === 'reply-review' ? { text: words } : act === 'show-review' ? {} : { reason: words }),
      }),
    onSuccess: (_, { act }) => toast.success(acts[act][0]),
    onError: (error, { act }) => {
      const isRefused = error instanceof BackendError && [400, 403, 404, 409].includes(error.status)
      toast.error(isRefused ? error.message : acts[act][1], waitAdvice(error))
    },
    onSettled: anew,
  })
}
