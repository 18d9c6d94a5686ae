import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '@/lib/functions'
import type { Play } from '@/ui/player/types'
import { toast } from '@/ui/toast'
import { isUnderWay, type Preparing, refusalOr, useTeachKey } from './api'
import type { Lesson } from './outline'

export type Spoken = { language: string; label: string }
export type Caption = Spoken & { text: string }
export type LessonFile = { id: string; name: string; size: number; mimetype: string }

export type Workpiece = {
  lesson: Lesson & { course_id: string }
  /** What learners read, and what is being written. */
  body: string
  draft_body: string
  draft_version: number
  video: Preparing | null
  play: Play | null
  captions: Spoken[]
  files: LessonFile[]
  /** Somebody chose the picture that the video shows before it plays. */
  own_poster: boolean
}

export const readWorkpiece = (lesson: string, signal?: AbortSignal) =>
  call<Workpiece>('studio-lesson', { lesson }, signal)

/** What is said in a video: long, so it is asked for when somebody wants to change it. */
export const readCaptions = (lesson: string, language: string) => call<Caption>('lesson-captions', { lesson, language })

/** How often the preparation of a video is looked at. */
export const lookEvery = 2000

/** A lesson with all that its makers see of it; looked at again while its video is being prepared. */
export function useWorkpiece(lesson: string) {
  const key = useTeachKey()
  return useQuery({
    queryKey: [...key, 'lesson', lesson],
    queryFn: ({ signal }) => readWorkpiece(lesson, signal),
    staleTime: 0,
    // Who opens a lesson again writes on in what is kept now: nothing old may stand there until it has come.
    gcTime: 0,
    refetchInterval: ({ state }) => (isUnderWay(state.data?.video) ? lookEvery : false),
  })
}

/** Calls a function about a lesson and then looks at it again. */
export function useLessonCall(lesson: string, name: string, failure: string, success = '') {
  const client = useQueryClient()
  const key = useTeachKey()
  return useMutation({
    mutationFn: (body: object) => call(name, body),
    onSuccess: async () => {
      if (success) toast.success(success)
      await client.invalidateQueries({ queryKey: [...key, 'lesson', lesson] })
      // Its length stands in the list.
      void client.invalidateQueries({ queryKey: [...key, 'curriculum'] })
    },
    onError: (error) => toast.error(refusalOr(error, failure)),
  })
}
