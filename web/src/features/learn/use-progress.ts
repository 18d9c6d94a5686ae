import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { keys } from '@/lib/keys'
import { readAnew } from '@/lib/query'
import { waitAdvice } from '@/lib/wait'
import { toast } from '@/ui/toast'
import { learningKey } from './api'
import type { LessonAnswer } from './calls'
import { Coverage } from './coverage'
import { followFilm } from './follow'
import { isNoNetwork, type Saved, type Saving, save, saveLeaving, sendWaiting, useIsAway, waitingOf } from './save'

type Standing = {
  user: string
  answer: LessonAnswer | undefined
  patch: (change: Partial<LessonAnswer>) => void
  isEnrolled: boolean
}

/** Before this many seconds nobody is put back. */
const lead = 3

/** Where a film begins: a little before its reader left, or at the start when they were nearly through. */
export function startOf({ progress, lesson, video }: LessonAnswer): number {
  const known = waitingOf(lesson.id)?.position_seconds ?? progress?.position_seconds ?? 0
  const seconds = video?.seconds || lesson.seconds
  return seconds > 0 && known / seconds > 0.95 ? 0 : Math.max(0, known - lead)
}

/** What is no longer as it was once a lesson is done. */
const changed = (user: string) => [
  ...['lesson_progress', 'enrollments', 'certificates'].map(keys.table),
  learningKey(user),
]

function tell({ done, of, certificate }: Saved, go: (path: string) => void) {
  if (done !== of) return toast.success('Lesson completed')
  if (!certificate) return toast.success('Course completed!')
  const onClick = () => go(`/certificate/${certificate}`)
  toast.success('Course completed! Your certificate is ready.', undefined, { label: 'View Certificate', onClick })
}

/** What is watched and done of a lesson, on its way to the server. A stranger keeps none. */
export function useProgress({ user, answer, patch, isEnrolled }: Standing) {
  const client = useQueryClient()
  const counts = isEnrolled && answer?.access === 'open' && answer.lesson.state === 'published'
  const navigate = useNavigate()
  const latest = useRef({ answer, patch, navigate })
  latest.current = { answer, patch, navigate }

  useEffect(() => {
    if (user !== '') void sendWaiting()
  }, [user])

  const isAway = useIsAway()
  const wasAway = useRef(false)
  useEffect(() => {
    // What waited is with the server now.
    if (wasAway.current && !isAway) void readAnew(client, ...changed(user))
    wasAway.current = isAway
  }, [client, user, isAway])

  const settle = useCallback(
    (saved: Saved, wasComplete: boolean) => {
      const { completed_at, position_seconds, covered } = saved
      latest.current.patch({ progress: { position_seconds, covered, completed_at } })
      if (wasComplete === (completed_at !== null)) return
      if (completed_at !== null) tell(saved, (path) => void latest.current.navigate(path))
      void readAnew(client, ...changed(user))
    },
    [client, user],
  )

  const send = useCallback(
    async (saving: Omit<Saving, 'lesson'>) => {
      const { answer } = latest.current
      if (!answer) return
      const wasComplete = answer.progress?.completed_at != null
      settle(await save({ lesson: answer.lesson.id, ...saving }), wasComplete)
    },
    [settle],
  )

  const id = answer?.lesson.id
  const follow = useCallback(
    (video: HTMLVideoElement) => {
      const { answer } = latest.current
      if (!counts || !answer || !id) return () => undefined
      const seconds = answer.lesson.seconds || answer.video?.seconds || 0
      const coverage = new Coverage(seconds, waitingOf(id)?.covered ?? answer.progress?.covered)
      return followFilm(video, coverage, (mark, leaving) => {
        // A lost network is told of elsewhere, and nothing is lost with it.
        if (leaving) saveLeaving({ lesson: id, ...mark })
        else void send(mark).catch(() => undefined)
      })
    },
    [counts, id, send],
  )

  /** Where the film stood when that was last told: a wish about something else is no newer word on it. */
  const position = () => {
    const { position_seconds, at } = waitingOf(id ?? '') ?? {
      position_seconds: latest.current.answer?.progress?.position_seconds ?? 0,
      at: new Date(0).toISOString(),
    }
    return { position_seconds, at }
  }

  /** Without a network a wish holds as if it were granted: it is kept, and sent later. */
  const takeAsDone = (isComplete: boolean) => {
    const { answer, patch } = latest.current
    const known = answer?.progress ?? { position_seconds: 0, covered: '' }
    patch({ progress: { ...known, completed_at: isComplete ? new Date().toISOString() : null } })
    toast.info('Kept. Sent when you are back online.')
  }

  return {
    counts,
    follow,
    /** Takes what the server wrote down by itself. */
    take: (saved: Saved) => settle(saved, latest.current.answer?.progress?.completed_at != null),
    /** Marks the lesson as done, or takes that back. */
    complete: (isComplete: boolean) =>
      send({ ...position(), complete: isComplete }).catch((error) => {
        if (isNoNetwork(error)) return takeAsDone(isComplete)
        toast.error(
          isComplete ? 'Failed to mark as complete. Please try again.' : 'Failed to undo. Please try again.',
          waitAdvice(error),
        )
      }),
    keepTaste: ({ speed, captions }: { speed?: number; captions?: string }) => {
      if (!counts) return
      const taste = {
        ...(speed ? { speed: Math.round(speed * 100) } : {}),
        ...(captions === undefined ? {} : { captions }),
      }
      void send({ ...position(), ...taste }).catch(() => undefined)
    },
  }
}
