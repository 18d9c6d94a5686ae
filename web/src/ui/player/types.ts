export type Track = { language: string; label: string; url: string }

/** A film and where its parts are, as the server grants them. */
export type Play = {
  video: string
  state: 'waiting' | 'playable' | 'ready' | 'refused'
  /** The playlist, '' while there is none; the upload itself, '' when that is gone. */
  hls: string
  file: string
  poster: string
  thumbs: string
  captions: Track[]
  seconds: number
  problem: string
  expires_at: string
}
