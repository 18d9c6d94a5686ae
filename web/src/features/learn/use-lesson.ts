import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { BackendError } from '@/lib/backend'
import { keys } from '@/lib/keys'
import { readAnew } from '@/lib/query'
import type { Answer } from '@/lib/read'
import { useSession } from '@/lib/session'
import type { Play } from '@/ui/player/types'
import { type LessonAnswer, lessonQuery, publicLessonKey } from './calls'

/** What a lesson holds for who is here. What anybody may see stands in the server's page, before it is known who that is. */
export function useLesson(lesson: string, draft: boolean) {
  const client = useQueryClient()
  const { status, session } = useSession()
  const user = session?.user.id ?? ''
  const options = lessonQuery(user, lesson, draft)
  const own = useQuery({ ...options, enabled: status !== 'loading' })
  const { data: shown } = useQuery<Answer<LessonAnswer>>({ queryKey: publicLessonKey(lesson), queryFn: skipToken })
  const open = draft ? undefined : shown?.rows[0]
  const isMissing = own.error instanceof BackendError && own.error.status === 404
  const renew = useCallback(async (): Promise<Play | null> => {
    const answer = await client.fetchQuery({ ...lessonQuery(user, lesson, draft), staleTime: 0 })
    return answer.video
  }, [client, user, lesson, draft])
  // A lesson that does not open knows better than what was read before whether its reader still takes part.
  const isRefused = user !== '' && own.data?.access === 'enroll'
  useEffect(() => {
    if (isRefused) void readAnew(client, keys.table('enrollments'))
  }, [client, isRefused])
  return {
    user,
    answer: own.data ?? (open?.access === 'open' ? open : undefined),
    /** The server's page tells nothing of a film: whoever watches it has to be known. */
    isKnown: own.data !== undefined,
    isMissing,
    isFailed: own.isLoadingError && !isMissing,
    refetch: own.refetch,
    renew,
    patch: (change: Partial<LessonAnswer>) =>
      client.setQueryData(options.queryKey, (known) => known && { ...known, ...change }),
  }
}
