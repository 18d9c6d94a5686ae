import { useQuery } from '@tanstack/react-query'
import { run } from '@/lib/backend'
import { call } from '@/lib/functions'
import type { Read } from '@/lib/read'
import type { RowOf } from '@/lib/rows'
import { useReaderId } from '@/lib/session'
import { ErrorState } from '@/ui/error-state'
import type { Play } from '@/ui/player/types'
import { Skeleton } from '@/ui/skeleton'
import { useTeachKey } from './api'
import { lookEvery, useLessonCall } from './lesson-api'
import { TeachersPart } from './teachers-part'
import { TermsPart } from './terms-part'
import { VideoPanel } from './video-panel'

const offerColumns = {
  id: 'string',
  price_cents: 'number?',
  open: 'boolean',
  strict: 'boolean',
  certificate: 'boolean',
  trailer_id: 'string?',
  published_at: 'string?',
} as const

export type Offer = RowOf<typeof offerColumns>

const offerOf = (course: string): Read<Offer> => ({
  table: 'course_offers',
  columns: offerColumns,
  where: [['course_id', 'eq', course]],
  limit: 1,
})

function useOffer(course: string) {
  const key = useTeachKey()
  return useQuery({
    queryKey: [...key, 'lesson', `trailer of ${course}`, 'offer'],
    queryFn: async ({ signal }) => (await run(offerOf(course), signal)).rows[0] ?? null,
    staleTime: 0,
  })
}

const askPlay = (video: string, signal?: AbortSignal) => call<Play>('play-video', { video }, signal)

/** The trailer's addresses and state, looked at again while it is being prepared. */
function useTrailer(course: string, video: string | null) {
  const key = useTeachKey()
  return useQuery({
    queryKey: [...key, 'lesson', `trailer of ${course}`, video],
    queryFn: ({ signal }) => askPlay(video ?? '', signal),
    enabled: video !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? lookEvery : false),
  })
}

type SettingsTabProps = { course: string; isAdmin: boolean; mayEdit: boolean }

/** What concerns the course as a whole: its trailer, its terms, and who teaches it. */
export function SettingsTab({ course, isAdmin, mayEdit }: SettingsTabProps) {
  const user = useReaderId()
  const { data: offer, isLoadingError, refetch } = useOffer(course)
  const trailer = offer?.trailer_id ?? null
  const { data: play = null } = useTrailer(course, trailer)
  const set = useLessonCall(`trailer of ${course}`, 'set-trailer', 'Failed to save the trailer. Please try again.')
  if (isLoadingError)
    return (
      <ErrorState
        title="The settings could not be loaded"
        hint="The other tabs still work."
        onRetry={() => void refetch()}
      />
    )
  if (offer === undefined) return <Skeleton className="h-52 rounded-card" />
  return (
    <div className="grid gap-5">
      <VideoPanel
        title="Trailer"
        lead="A short film that anybody may watch on the course page."
        place={{ user, course, owner: 'trailer', kind: 'video' }}
        mayEdit={mayEdit}
        video={
          trailer && play
            ? {
                id: trailer,
                state: play.state,
                job: play.state === 'waiting' ? 'queued' : 'done',
                progress: 0,
                error: '',
                problem: play.problem,
                missing: '',
              }
            : null
        }
        play={trailer ? play : null}
        renew={async () => (trailer ? askPlay(trailer) : null)}
        onSet={(path) => set.mutateAsync({ course, path })}
      />
      {isAdmin && offer && <TermsPart course={course} offer={offer} />}
      {isAdmin && <TeachersPart course={course} />}
    </div>
  )
}
