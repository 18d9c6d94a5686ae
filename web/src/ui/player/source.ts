import type Hls from 'hls.js'
import type { Play } from './types'

// Where a film comes from: in pieces through hls.js where the browser can take them, else as the browser's own player of
// such lists has it, else as the file that was uploaded.

/** The lines of a picture; 0 is whatever the network allows. */
export type Quality = number

export type Source = {
  /** The qualities to choose from, largest first; none where the browser chooses. */
  qualities: () => Quality[]
  choose: (quality: Quality) => void
  /** Goes on with another grant of the same film while the old one still holds, without a stop where that can be. */
  renew: (play: Play) => void
  close: () => void
}

export type Listeners = {
  onQualities: () => void
  /** The grant is over, or was taken back. */
  onRefused: () => void
  onFailed: () => void
}

const prefixOf = (address: string) => address.slice(0, address.lastIndexOf('/') + 1)

const settings = {
  // The page's policy allows no worker that is made of text.
  enableWorker: false,
  // The smallest first: it shows in half a second, and better follows.
  startLevel: 0,
  maxBufferLength: 30,
  backBufferLength: 30,
  capLevelToPlayerSize: true,
}

type Library = typeof Hls

/** The library, asked for once; a failed try is no answer. */
let library: Promise<Library> | undefined
export function loadLibrary(): Promise<Library> {
  library ??= import('hls.js/light').then((module) => module.default as unknown as Library)
  library.catch(() => {
    library = undefined
  })
  return library
}

function inPieces(Library: Library, video: HTMLVideoElement, play: Play, listeners: Listeners): Source {
  const first = prefixOf(play.hls)
  let prefix = first
  const hls = new Library({
    ...settings,
    xhrSetup: (request, url) => {
      // The lists that are there name the first grant.
      if (prefix !== first && url.includes(first)) request.open('GET', url.replace(first, prefix), true)
    },
  })
  const levels = () => hls.levels.map((level) => level.height)
  hls.on(Library.Events.MANIFEST_PARSED, listeners.onQualities)
  hls.on(Library.Events.ERROR, (_, data) => {
    const code = data.response?.code
    if (code === 403 || code === 401) {
      // No other quality is tried with the same grant.
      hls.stopLoad()
      return listeners.onRefused()
    }
    if (!data.fatal) return
    if (data.type === Library.ErrorTypes.MEDIA_ERROR && recovered < 2) {
      recovered += 1
      hls.recoverMediaError()
    } else listeners.onFailed()
  })
  let recovered = 0
  hls.loadSource(play.hls)
  hls.attachMedia(video)
  return {
    qualities: () => levels().toSorted((a, b) => b - a),
    choose: (quality) => {
      hls.nextLevel = quality === 0 ? -1 : levels().indexOf(quality)
    },
    renew: (next) => {
      prefix = prefixOf(next.hls)
    },
    close: () => hls.destroy(),
  }
}

/** The browser plays an address by itself. */
function whole(video: HTMLVideoElement, address: string, listeners: Listeners): Source {
  const fail = () => listeners.onFailed()
  video.addEventListener('error', fail)
  video.src = address
  return {
    qualities: () => [],
    choose: () => undefined,
    renew: (next) => {
      const { currentTime, paused, playbackRate } = video
      video.src = address.endsWith('.m3u8') ? next.hls : next.file
      video.addEventListener(
        'loadedmetadata',
        () => {
          video.currentTime = currentTime
          video.playbackRate = playbackRate
          if (!paused) void video.play().catch(() => undefined)
        },
        { once: true },
      )
    },
    close: () => {
      video.removeEventListener('error', fail)
      video.removeAttribute('src')
      video.load()
    },
  }
}

/** Opens a film in a video element. */
export async function openSource(video: HTMLVideoElement, play: Play, listeners: Listeners): Promise<Source> {
  if (play.hls) {
    const Library = await loadLibrary().catch(() => undefined)
    if (Library?.isSupported()) return inPieces(Library, video, play, listeners)
    if (video.canPlayType('application/vnd.apple.mpegurl')) return whole(video, play.hls, listeners)
  }
  return whole(video, play.file || play.hls, listeners)
}
