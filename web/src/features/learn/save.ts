import { useSyncExternalStore } from 'react'
import { BackendError } from '@/lib/backend'
import { call } from '@/lib/functions'
import { prefix, store } from '@/lib/memory'
import { mayPass } from '@/lib/query'
import { currentSession } from '@/lib/session'
import { settings } from '@/lib/settings'

// How far somebody came is kept in this tab until the server has it: a network that is away for a while loses nothing,
// and neither does a reload. What is kept goes at sign-out with the rest of the visit.

export type Saving = {
  lesson: string
  position_seconds: number
  /** The moment that the position is of. */
  at: string
  covered?: string
  complete?: boolean
  speed?: number
  captions?: string
}

export type Saved = {
  position_seconds: number
  covered: string
  completed_at: string | null
  course_completed_at: string | null
  done: number
  of: number
  /** The code of the certificate that they hold of the course. */
  certificate: string | null
}

const keyOf = (lesson: string) => `${prefix}progress.${lesson}`

/** What waits to be sent of a lesson. */
export function waitingOf(lesson: string): Saving | undefined {
  try {
    return JSON.parse(store()?.getItem(keyOf(lesson)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

const keep = (saving: Saving) => store()?.setItem(keyOf(saving.lesson), JSON.stringify(saving))

/** Lets go of what was sent, unless more has come since. */
function letGo(sent: Saving) {
  if (store()?.getItem(keyOf(sent.lesson)) === JSON.stringify(sent)) store()?.removeItem(keyOf(sent.lesson))
}

let isAway = false
const listeners = new Set<() => void>()

function say(away: boolean) {
  if (isAway === away) return
  isAway = away
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether progress waits for the network. */
export const useIsAway = () =>
  useSyncExternalStore(
    subscribe,
    () => isAway,
    () => false,
  )

let isListening = false

function listen() {
  if (isListening) return
  isListening = true
  addEventListener('online', () => void sendWaiting())
  addEventListener('offline', () => say(true))
}

/** Sends what is left from before. */
export async function sendWaiting() {
  listen()
  const names = Object.keys(store() ?? {}).filter((name) => name.startsWith(`${prefix}progress.`))
  let isStillAway = false
  for (const name of names) {
    const saving = waitingOf(name.slice(`${prefix}progress.`.length))
    if (saving)
      await send(saving).catch((error) => {
        isStillAway ||= isNoNetwork(error)
      })
  }
  say(isStillAway)
}

/** Whether nobody was reached: what was to be saved waits in this tab. */
export const isNoNetwork = (error: unknown) => error instanceof BackendError && error.status === 0

async function send(saving: Saving): Promise<Saved> {
  try {
    const saved = await call<Saved>('save-progress', saving)
    letGo(saving)
    return saved
  } catch (error) {
    // A refusal stays one; all else is tried again with the next.
    if (!mayPass(error)) letGo(saving)
    else if (isNoNetwork(error)) say(true)
    throw error
  }
}

/** Keeps how far somebody came, and sends it. Two wishes that were not sent yet become one. */
export async function save(next: Saving): Promise<Saved> {
  listen()
  const saving = { ...waitingOf(next.lesson), ...next }
  keep(saving)
  const saved = await send(saving)
  // Where one gets through, what other lessons left waiting does too.
  if (isAway) void sendWaiting()
  return saved
}

/** The same while the page goes: the browser sends it on without the page, and nobody hears the answer. */
export function saveLeaving(next: Saving) {
  const saving = { ...waitingOf(next.lesson), ...next }
  keep(saving)
  const token = currentSession().session?.access_token
  if (!token) return
  void fetch('/functions/v1/save-progress', {
    method: 'POST',
    keepalive: true,
    headers: { apikey: settings().apiKey, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(saving),
  }).then(
    ({ ok }) => ok && letGo(saving),
    () => undefined,
  )
}
