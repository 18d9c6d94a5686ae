import { useEffect } from 'react'
import type { Actions } from './actions'

/** Tells the system what plays, so that its own keys and lock screen can hold it. */
export function useMediaSession(title: string, artist: string, poster: string, actions: Actions) {
  useEffect(() => {
    if (!('mediaSession' in navigator) || typeof MediaMetadata === 'undefined') return
    const session = navigator.mediaSession
    session.metadata = new MediaMetadata({ title, artist, artwork: poster ? [{ src: poster }] : [] })
    const handlers: [MediaSessionAction, MediaSessionActionHandler | null][] = [
      ['play', () => actions.toggle()],
      ['pause', () => actions.toggle()],
      ['seekbackward', () => actions.step(-10)],
      ['seekforward', () => actions.step(10)],
      ['seekto', ({ seekTime }) => seekTime !== undefined && actions.seek(seekTime)],
      ['nexttrack', actions.next ?? null],
    ]
    const set = (action: MediaSessionAction, handler: MediaSessionActionHandler | null) => {
      try {
        session.setActionHandler(action, handler)
      } catch {
        // A browser may not know the action.
      }
    }
    for (const [action, handler] of handlers) set(action, handler)
    return () => {
      session.metadata = null
      for (const [action] of handlers) set(action, null)
    }
  }, [title, artist, poster, actions])
}
