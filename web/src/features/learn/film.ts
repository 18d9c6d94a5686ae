import { type RefObject, useMemo, useRef } from 'react'

/** The film of a lesson for what stands below it: its moment, and the way back to one. */
export type Film = {
  now: () => number
  seek: (seconds: number) => void
  /** Stops it; what it gives back lets it go on. */
  hold: () => () => void
}

const filmOf = (video: RefObject<HTMLVideoElement | null>): Film => ({
  now: () => Math.floor(video.current?.currentTime ?? 0),
  seek: (seconds) => {
    if (!video.current) return
    video.current.currentTime = seconds
    void video.current.play().catch(() => undefined)
    scrollTo({ top: 0 })
  },
  hold: () => {
    const film = video.current
    if (!film || film.paused) return () => undefined
    film.pause()
    return () => void film.play().catch(() => undefined)
  },
})

type Follow = (video: HTMLVideoElement) => () => void

/** Follows a film as before, and hands it to others meanwhile. */
export function useHeldFilm(follow: Follow): [film: Film, follow: Follow] {
  const video = useRef<HTMLVideoElement | null>(null)
  const film = useMemo(() => filmOf(video), [])
  const held = useMemo<Follow>(
    () => (element) => {
      video.current = element
      const end = follow(element)
      return () => {
        video.current = null
        end()
      }
    },
    [follow],
  )
  return [film, held]
}
