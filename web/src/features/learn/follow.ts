import type { Coverage } from './coverage'

export type Mark = { position_seconds: number; at: string; covered: string }

const every = 15_000
/** More than this between two looks is a jump, at any speed. */
const longest = 3

/**
 * Follows what is watched of a film, and tells it when it begins, every fifteen seconds, and when it pauses, jumps or goes out of sight. With
 * `leaving` the page may be gone before an answer comes.
 */
export function followFilm(video: HTMLVideoElement, coverage: Coverage, tell: (mark: Mark, leaving: boolean) => void) {
  let last = video.currentTime
  let told = ''
  const mark = (leaving: boolean) => {
    const position_seconds = Math.floor(video.currentTime)
    const covered = coverage.toString()
    // Nobody has watched anything yet, or nothing since.
    if (
      video.readyState === 0 ||
      told === `${position_seconds} ${covered}` ||
      (told === '' && video.played.length === 0)
    )
      return
    told = `${position_seconds} ${covered}`
    tell({ position_seconds, at: new Date().toISOString(), covered }, leaving)
  }
  const look = () => {
    const now = video.currentTime
    if (!video.seeking && now > last && now - last <= longest) coverage.add(last, now)
    last = now
    // What is believed in a strict course counts from the first that is told.
    if (told === '' && !video.paused) mark(false)
  }
  const pause = () => {
    look()
    mark(false)
  }
  const jump = () => {
    last = video.currentTime
  }
  const settle = () => mark(false)
  const hide = () => {
    look()
    if (document.visibilityState === 'hidden') mark(true)
  }
  const leave = () => {
    look()
    mark(true)
  }
  const timer = setInterval(() => !video.paused && mark(false), every)
  video.addEventListener('timeupdate', look)
  video.addEventListener('seeking', jump)
  video.addEventListener('seeked', settle)
  video.addEventListener('pause', pause)
  video.addEventListener('ended', pause)
  document.addEventListener('visibilitychange', hide)
  addEventListener('pagehide', leave)
  return () => {
    leave()
    clearInterval(timer)
    video.removeEventListener('timeupdate', look)
    video.removeEventListener('seeking', jump)
    video.removeEventListener('seeked', settle)
    video.removeEventListener('pause', pause)
    video.removeEventListener('ended', pause)
    document.removeEventListener('visibilitychange', hide)
    removeEventListener('pagehide', leave)
  }
}
