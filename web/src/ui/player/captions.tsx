import { type RefObject, useEffect, useState } from 'react'

/** What is said at this moment, in the chosen language; '' chooses none. */
export function useCues(video: RefObject<HTMLVideoElement | null>, language: string, tracks: number): string[] {
  const [lines, setLines] = useState<string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: tracks come with the film
  useEffect(() => {
    const all = [...(video.current?.textTracks ?? [])]
    const chosen = all.find((track) => language !== '' && track.language === language)
    // Hidden is read and not drawn: we draw it ourselves, above the controls and large enough.
    for (const track of all) track.mode = track === chosen ? 'hidden' : 'disabled'
    const look = () => setLines([...(chosen?.activeCues ?? [])].map(textOf))
    chosen?.addEventListener('cuechange', look)
    look()
    return () => chosen?.removeEventListener('cuechange', look)
  }, [video, language, tracks])
  return lines
}

const textOf = (cue: TextTrackCue): string => (cue as VTTCue).getCueAsHTML().textContent ?? ''

/** They are a picture of what is heard, so who listens is not told again. */
export function Captions({ lines, language }: { lines: string[]; language: string }) {
  if (lines.length === 0) return null
  return (
    <div className="player-captions" lang={language} aria-hidden="true">
      {lines.map((line) => (
        <p key={line}>
          <span>{line}</span>
        </p>
      ))}
    </div>
  )
}
