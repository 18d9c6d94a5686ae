import './player.css'
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { makeActions } from './actions'
import { Captions, useCues } from './captions'
import { Controls } from './controls'
import { Shape } from './drawings'
import { useKeys } from './keys'
import { useMediaSession } from './media-session'
import { Broken, type Following, KeyList, UpNext } from './overlays'
import { keepTaste, readTaste } from './taste'
import type { Play } from './types'
import { useFilm, useVideoState } from './use-film'
import { useQuiet } from './use-quiet'

export type { Play } from './types'

export type PlayerProps = {
  play: Play
  /** The picture before a film that has none of its own yet. */
  still?: string
  title: string
  /** Whose film it is, for the system's own controls. */
  artist: string
  /** Asks for a new grant; null where there is none any more. */
  renew: () => Promise<Play | null>
  /** Where to begin, in seconds. */
  start?: number
  autoplay?: boolean
  /** What the account likes; this browser's own taste where it says nothing. */
  taste?: { speed: number; captions: string } | null | undefined
  onTaste?: (change: { speed?: number; captions?: string }) => void
  next?: Following | undefined
  /** Whether B takes a note, which the list of keys then tells. */
  hasNotes?: boolean
  /** Hands the element over to who follows what is watched; what it gives back ends that. */
  follow?: (video: HTMLVideoElement) => () => void
}

/** A film with its controls. Another film is another player: give it a key. */
export function Player(props: PlayerProps) {
  const { play, still = '', title, artist, renew, start = 0, autoplay = false, taste, onTaste, next, follow } = props
  const root = useRef<HTMLElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [mine] = useState(() => taste ?? readTaste())
  const [language, setLanguage] = useState(() =>
    play.captions.some((track) => track.language === mine.captions) ? mine.captions : '',
  )
  // Before the film is opened, so that it ends before the film is closed.
  useEffect(() => (video.current && follow ? follow(video.current) : undefined), [follow])
  const film = useFilm(video, { play, renew, start, speed: mine.speed, autoplay })
  const poster = film.current.poster || still
  const state = useVideoState(video, play.seconds)
  const lines = useCues(video, language, film.current.captions.length)
  const [said, say] = useSaid()
  const [help, setHelp] = useState(false)
  const [isCancelled, setCancelled] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const isFull = useFullscreen(root)
  const { isQuiet, stir } = useQuiet(!state.paused && !isOpen && !help)

  const setSpeed = (speed: number) => {
    if (video.current) Object.assign(video.current, { playbackRate: speed, defaultPlaybackRate: speed })
    keepTaste({ speed })
    onTaste?.({ speed })
  }
  const choose = (captions: string) => {
    setLanguage(captions)
    keepTaste({ captions })
    onTaste?.({ captions })
  }
  const latest = useRef({ setSpeed, choose, language, next })
  latest.current = { setSpeed, choose, language, next }
  const hasNext = next !== undefined
  const actions = useMemo(
    () =>
      makeActions({
        video,
        root,
        say,
        onSpeed: (speed) => latest.current.setSpeed(speed),
        onCaptions: () => {
          const tracks = video.current?.textTracks ?? []
          if (tracks.length === 0) return say('No captions')
          const first = tracks[0]?.language ?? ''
          latest.current.choose(latest.current.language === '' ? first : '')
          say(latest.current.language === '' ? 'Captions on' : 'Captions off')
        },
        onHelp: () => setHelp((open) => !open),
        onNext: hasNext ? () => latest.current.next?.onGo(false) : undefined,
      }),
    [say, hasNext],
  )
  useKeys(root, actions)
  useMediaSession(title, artist, poster, actions)
  useEffect(() => {
    if (!state.ended) setCancelled(false)
  }, [state.ended])

  const press = ({ pointerType }: PointerEvent) => {
    // A finger first asks for the controls.
    if (pointerType === 'mouse' || !state.begun) actions.toggle()
    else stir()
  }
  const isEnd = state.ended && next !== undefined && !isCancelled
  return (
    <section
      ref={root}
      aria-label={`Video player: ${title}`}
      className="player"
      data-quiet={isQuiet || undefined}
      data-captions={lines.length > 0 || undefined}
      onPointerMove={stir}
      onFocus={stir}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: those that there are */}
      <video
        ref={video}
        poster={poster || undefined}
        playsInline
        preload="metadata"
        x-webkit-airplay="allow"
        onPointerUp={press}
        onDoubleClick={actions.fullscreen}
      >
        {film.current.captions.map((track) => (
          <track key={track.language} kind="captions" src={track.url} srcLang={track.language} label={track.label} />
        ))}
      </video>
      <Captions lines={lines} language={language} />
      {state.waiting && !film.isBroken && <div className="player-spinner" aria-hidden="true" />}
      {!state.begun && !film.isBroken && (
        <button type="button" className="player-start" aria-label={`Play ${title}`} onClick={actions.toggle}>
          <Shape name="play" />
        </button>
      )}
      {said && (
        <p aria-hidden="true" className="player-said">
          {said}
        </p>
      )}
      <p role="status" className="sr-only">
        {film.isBroken ? '' : state.waiting && state.begun ? 'Loading' : said}
      </p>
      {film.isBroken ? (
        <Broken words={brokenWords()} onRetry={film.tryAgain} />
      ) : isEnd && next ? (
        <UpNext {...next} onCancel={() => setCancelled(true)} />
      ) : (
        <Controls
          state={state}
          actions={actions}
          thumbs={film.current.thumbs}
          tracks={film.current.captions}
          language={language}
          onLanguage={choose}
          onSpeed={setSpeed}
          qualities={film.qualities}
          quality={film.quality}
          onQuality={film.chooseQuality}
          isFull={isFull}
          onOpen={setOpen}
        />
      )}
      {help && <KeyList hasNotes={props.hasNotes ?? false} onClose={() => setHelp(false)} />}
    </section>
  )
}

const brokenWords = () =>
  navigator.onLine === false
    ? 'You are offline. The video goes on once you’re back.'
    : 'This video could not be played.'

/** A few words that go again. */
function useSaid(): [string, (words: string) => void] {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(setSaid, 1200, '')
    return () => clearTimeout(timer)
  }, [said])
  return [said, setSaid]
}

function useFullscreen(root: { current: HTMLElement | null }): boolean {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === root.current)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [root])
  return isFull
}
