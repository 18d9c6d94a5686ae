import { useSyncExternalStore } from 'react'

// One moment per page load and one clock for all countdowns, so that they agree and one timer
// serves them all.

const minute = 60_000
let now: number | null = null
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick() {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (timer === undefined) {
    timer = setInterval(tick, minute)
    // It slept while nothing showed it.
    if (now !== null && now !== Date.now()) tick()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function current(): number {
  now ??= Date.now()
  return now
}

/** The time, refreshed each minute; null while there is no reader (on the server). */
export function useNow(): number | null {
  return useSyncExternalStore(subscribe, current, () => null)
}

/** The moment at which this page was loaded. */
export const pageLoadedAt = () => performance.timeOrigin
