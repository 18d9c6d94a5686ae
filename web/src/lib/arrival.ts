import { useSyncExternalStore } from 'react'

// A mailed link, or a sign-in elsewhere, ends at a page of this site and says in its address what
// became of it. The auth client reads that; what went wrong, or well, waits here until a screen shows it.

let message: string | null = null
let news: string | null = null
let cameBackTo = ''
const listeners = new Set<() => void>()

function become(next: string | null) {
  message = next
  tell()
}

function tell() {
  for (const listener of listeners) listener()
}

/** Whether the address carries the outcome of a mailed link or of a sign-in elsewhere. */
export function addressCarriesOutcome(): boolean {
  return /[#?&](access_token|error|error_description|error_code)=/.test(location.search + location.hash)
}

/** Takes the outcome out of the address, and out of the history, where tokens would stay readable. */
export function clearOutcome(url: URL) {
  cameBackTo = url.pathname
  for (const name of ['error', 'error_code', 'error_description']) url.searchParams.delete(name)
  history.replaceState(history.state, '', url.pathname + url.search)
}

/** Whether a page was opened by such a way back, once. */
export function takeReturn(path: string): boolean {
  const isReturn = cameBackTo === path
  if (isReturn) cameBackTo = ''
  return isReturn
}

export const noteArrivalError = (text: string) => become(text)

/** Says what a link has done. */
export function noteArrivalNews(text: string | null) {
  news = text
  tell()
}

/** What a link has done, until it was shown. */
export function useArrivalNews(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => news,
    () => null,
  )
}

/** The screen that shows the error takes it away, so that no other shows it again. */
export function forgetArrivalError() {
  if (message !== null) become(null)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What went wrong on the way here, in the server's words, until a screen has dealt with it. */
export function useArrivalError(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => message,
    () => null,
  )
}
