import type { RefObject } from 'react'
import { clock } from './clock'

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

export const speedName = (speed: number) => `${speed}×`

type Standing = {
  video: RefObject<HTMLVideoElement | null>
  root: RefObject<HTMLElement | null>
  /** Says what a key has done, to the eye and to the ear. */
  say: (words: string) => void
  onSpeed: (speed: number) => void
  onCaptions: () => void
  onHelp: () => void
  onNext: (() => void) | undefined
}

type Fullscreen = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

export type Actions = ReturnType<typeof makeActions>

/** All that a button or a key does. */
export function makeActions({ video, root, say, onSpeed, onCaptions, onHelp, onNext }: Standing) {
  const element = () => video.current
  const seek = (time: number) => {
    const film = element()
    if (!film) return
    const end = Number.isFinite(film.duration) ? film.duration : 0
    film.currentTime = Math.max(0, Math.min(time, end))
  }
  return {
    toggle: () => {
      const film = element()
      if (film?.paused) void film.play().catch(() => undefined)
      else film?.pause()
    },
    seek,
    step: (seconds: number) => {
      const film = element()
      if (!film) return
      seek(film.currentTime + seconds)
      say(`${seconds > 0 ? '+' : '−'}${Math.abs(seconds)} s · ${clock(film.currentTime)}`)
    },
    part: (tenths: number) => seek(((element()?.duration || 0) * tenths) / 10),
    louder: (by: number) => {
      const film = element()
      if (!film) return
      film.muted = false
      film.volume = Math.round(Math.max(0, Math.min(1, film.volume + by)) * 20) / 20
      say(`Volume ${Math.round(film.volume * 100)}%`)
    },
    setVolume: (volume: number) => {
      const film = element()
      if (film) Object.assign(film, { volume, muted: volume === 0 })
    },
    mute: () => {
      const film = element()
      if (!film) return
      film.muted = !film.muted
      say(film.muted ? 'Muted' : 'Sound on')
    },
    faster: (steps: number) => {
      const film = element()
      if (!film) return
      const here = speeds.findIndex((speed) => speed >= film.playbackRate)
      const next = speeds[Math.max(0, Math.min(speeds.length - 1, here + steps))] ?? 1
      onSpeed(next)
      say(`Speed ${speedName(next)}`)
    },
    captions: onCaptions,
    help: onHelp,
    next: onNext,
    fullscreen: () => {
      const film: Fullscreen | null = element()
      if (document.fullscreenElement) void document.exitFullscreen()
      else if (root.current?.requestFullscreen) void root.current.requestFullscreen().catch(() => undefined)
      else film?.webkitEnterFullscreen?.()
    },
    inPicture: () => {
      if (document.pictureInPictureElement) void document.exitPictureInPicture()
      else
        void element()
          ?.requestPictureInPicture()
          .catch(() => undefined)
    },
  }
}
