import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { openSource, type Quality, type Source } from './source'
import { keepTaste, readTaste } from './taste'
import type { Play } from './types'

type Film = { play: Play; renew: () => Promise<Play | null>; start: number; speed: number; autoplay: boolean }

/** A grant that is asked for anew more often than this did not help. */
const patience = 10_000

/** Opens a film in the element, and keeps its grant alive. */
export function useFilm(video: RefObject<HTMLVideoElement | null>, { play, renew, start, speed, autoplay }: Film) {
  const [isBroken, setBroken] = useState(false)
  const [tries, setTries] = useState(0)
  const [current, setCurrent] = useState(play)
  const [qualities, setQualities] = useState<Quality[]>([])
  const [quality, setQuality] = useState<Quality>(0)
  const source = useRef<Source | null>(null)
  const at = useRef(start)
  const goesOn = useRef(autoplay)
  const ask = useRef(renew)
  ask.current = renew
  const lastRefusal = useRef(Number.NEGATIVE_INFINITY)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a film is opened once, and again when it is tried again
  useEffect(() => {
    const element = video.current
    if (!element) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const fail = () => {
      if (isOver) return
      goesOn.current = !element.paused
      setBroken(true)
    }
    /** The film is opened anew with another grant, where it stands: half-loaded pieces do not go on. */
    const onRefused = () => {
      if (Date.now() - lastRefusal.current < patience) return fail()
      lastRefusal.current = Date.now()
      goesOn.current = !element.paused
      setTries((before) => before + 1)
    }
    const renewGrant = async () => {
      const next = await ask.current().catch(() => null)
      if (isOver) return
      if (!next) return fail()
      setCurrent(next)
      source.current?.renew(next)
      renewLater(next)
    }
    /** At three quarters of its life, so that nobody waits for it. */
    const renewLater = ({ expires_at }: Play) => {
      clearTimeout(timer)
      const left = Date.parse(expires_at) - Date.now()
      if (left > 0) timer = setTimeout(() => void renewGrant(), Math.min(left * 0.75, 2 ** 31 - 1))
    }
    const begin = () => {
      const { volume, muted } = readTaste()
      Object.assign(element, { volume, muted })
      // A film that is opened again keeps the speed that it had.
      if (tries === 0) Object.assign(element, { playbackRate: speed, defaultPlaybackRate: speed })
      if (at.current > 0) element.currentTime = at.current
      if (goesOn.current) void element.play().catch(() => undefined)
    }
    element.addEventListener('loadedmetadata', begin, { once: true })
    const open = async () => {
      // After a failure the grant may be what was wrong.
      const granted = tries === 0 ? play : await ask.current().catch(() => null)
      if (isOver) return
      if (!granted) return fail()
      // Whoever pressed play while the grant was asked for is heard.
      goesOn.current ||= !element.paused
      setCurrent(granted)
      const opened = await openSource(element, granted, {
        onQualities: () => {
          setQualities(source.current?.qualities() ?? [])
          if (quality) source.current?.choose(quality)
        },
        // A plain file cannot tell a grant that is over from a file that is broken: both are asked for once more.
        onFailed: () => (granted.hls ? fail() : onRefused()),
        onRefused,
      })
      if (isOver) return opened.close()
      source.current = opened
      setQualities(opened.qualities())
      renewLater(granted)
    }
    void open().catch(fail)
    return () => {
      isOver = true
      at.current = element.currentTime || at.current
      clearTimeout(timer)
      element.removeEventListener('loadedmetadata', begin)
      source.current?.close()
      source.current = null
    }
  }, [tries])

  const tryAgain = useCallback(() => {
    setBroken(false)
    setTries((before) => before + 1)
  }, [])

  // What failed for want of a network goes on when it is back.
  useEffect(() => {
    if (!isBroken) return
    addEventListener('online', tryAgain)
    return () => removeEventListener('online', tryAgain)
  }, [isBroken, tryAgain])

  return {
    isBroken,
    current,
    qualities,
    quality,
    chooseQuality: (next: Quality) => {
      setQuality(next)
      source.current?.choose(next)
    },
    tryAgain,
  }
}

export type State = {
  paused: boolean
  /** It was played at all. */
  begun: boolean
  waiting: boolean
  ended: boolean
  time: number
  duration: number
  buffered: number
  volume: number
  muted: boolean
  speed: number
}

const idle: State = {
  paused: true,
  begun: false,
  waiting: false,
  ended: false,
  time: 0,
  duration: 0,
  buffered: 0,
  volume: 1,
  muted: false,
  speed: 1,
}

function bufferedEnd({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= currentTime + 0.5 && currentTime <= buffered.end(index)) return buffered.end(index)
  return currentTime
}

const told = [
  'play pause playing waiting seeking seeked ended timeupdate durationchange loadedmetadata progress volumechange',
  'ratechange canplay emptied',
]
  .join(' ')
  .split(' ')

/** What the element says of itself, as state. */
export function useVideoState(video: RefObject<HTMLVideoElement | null>, seconds: number): State {
  const [state, setState] = useState(idle)
  useEffect(() => {
    const element = video.current
    if (!element) return
    const look = ({ type }: { type: string }) => {
      const { paused, ended, currentTime: time, volume, muted, playbackRate: speed, readyState } = element
      const duration = Number.isFinite(element.duration) ? element.duration : seconds
      setState((before) => ({
        paused,
        begun: before.begun || !paused || time > 0,
        waiting: !paused && readyState < 3,
        ended,
        time,
        duration,
        buffered: bufferedEnd(element),
        volume,
        muted,
        speed,
      }))
      if (type === 'volumechange') keepTaste({ volume, muted })
    }
    for (const type of told) element.addEventListener(type, look)
    look({ type: '' })
    return () => {
      for (const type of told) element.removeEventListener(type, look)
    }
  }, [video, seconds])
  return state
}
