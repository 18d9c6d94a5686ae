import { type ReactNode, useState } from 'react'
import { useLater } from '@/lib/later'
import type { Play, PlayerProps } from '@/ui/player/player'
import { toast } from '@/ui/toast'
import { PlayDrawing } from './drawings'
import { useKeptFocus } from './kept-focus'

const loadPlayer = () => import('@/ui/player/player').then((module) => module.Player)

const ask = async (video: string) => (await import('@/lib/functions')).call<Play>('play-video', { video })

type TrailerProps = { video: string; title: string; still: ReactNode; poster: string }

/** A film about the course that anybody may watch: a picture until somebody does. */
export function Trailer({ video, title, still, poster }: TrailerProps) {
  const [Player, bring] = useLater<PlayerProps>(loadPlayer)
  const [play, setPlay] = useState<Play | null>(null)
  // The large button goes once the film runs: the small one stays.
  const kept = useKeptFocus<HTMLElement>('.player-bar button')
  const start = async () => {
    const [granted, isThere] = await Promise.all([ask(video).catch(() => null), bring()])
    if (granted && isThere) setPlay(granted)
    else toast.error('The trailer did not open. Please try again.')
  }
  return (
    <section aria-label="Trailer" {...kept}>
      {Player && play ? (
        <Player
          play={play}
          still={poster}
          title={`Trailer: ${title}`}
          artist="Greenroom"
          renew={() => ask(video)}
          autoplay
        />
      ) : (
        <button type="button" onClick={() => void start()} className="group/card relative block w-full">
          {still}
          <span className="absolute inset-0 flex items-end p-5">
            <span className="inline-flex h-13 items-center gap-2 rounded-control bg-veil px-5 font-medium">
              <PlayDrawing />
              Watch Trailer
            </span>
          </span>
        </button>
      )}
    </section>
  )
}
