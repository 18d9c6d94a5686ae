import { type ComponentType, useEffect } from 'react'
import { useLater } from '@/lib/later'
import type { PlayerProps } from '@/ui/player/player'
import type { Play } from '@/ui/player/types'
import { PlayDrawing } from './drawings'
import { Gate } from './lesson-parts'

const loadPlayer = async (): Promise<ComponentType<PlayerProps>> => {
  const [{ Player }] = await Promise.all([
    import('@/ui/player/player'),
    // Beside the player, which would ask for it a moment later.
    import('@/ui/player/source').then(({ loadLibrary }) => loadLibrary()).catch(() => undefined),
  ])
  return Player
}

type VideoLessonProps = Omit<PlayerProps, 'play'> & { play: Play | null; isKnown: boolean }

/** The film of a lesson, or why there is none yet. */
export function VideoLesson({ play, isKnown, ...rest }: VideoLessonProps) {
  const [Player, bring] = useLater(loadPlayer)
  const isThere = play !== null && play.state !== 'refused' && (play.hls !== '' || play.file !== '')
  useEffect(() => {
    if (isThere) void bring()
  }, [isThere, bring])
  if (!isThere && isKnown)
    return (
      <div className="lesson-screen" data-empty>
        <Gate
          mark={<PlayDrawing />}
          title="This video is being prepared."
          hint="It takes a few minutes. Come back to this page then."
        />
      </div>
    )
  return (
    <div className="lesson-screen" aria-busy={Player === null}>
      {Player && isThere && <Player key={play.video} play={play} {...rest} />}
    </div>
  )
}
