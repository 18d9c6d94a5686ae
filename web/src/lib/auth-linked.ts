import type { Session } from '@supabase/auth-js'
import { claimsOf } from './auth-level'

// A link may bring a session of somebody else's: its reader is then signed in to a stranger's account, perhaps without
// noticing. So nothing of theirs, such as a guest's list or what they pressed, goes to such a session by itself, in any tab.
// A link that this browser asked for, by email or at a provider, is no stranger's.

// In this tab, and with what else memory.ts keeps of a visit.
const tripKey = 'greenroom.trip'
const linkedKey = 'greenroom-linked'
const awaitedKey = 'greenroom-awaited'
const awaitedFor = 24 * 60 * 60_000

const plain = (email: string) => email.trim().toLowerCase()

function store(of: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[of]
  } catch {
    return null
  }
}

const kept = () => store('localStorage')
const visit = () => store('sessionStorage')

/** Notes that this tab goes to a provider to sign in, and comes back with a session. */
export function rememberTrip() {
  visit()?.setItem(tripKey, '1')
}

const isOnTrip = () => visit()?.getItem(tripKey) === '1'

/** Whether this tab went to a provider, once. A session that comes by a link of somebody else's is no return. */
export function takeTrip(): boolean {
  const went = isOnTrip()
  visit()?.removeItem(tripKey)
  return went
}

/** Notes that this browser asks for an email with a link to sign in by. */
export function awaitLink(email: string) {
  kept()?.setItem(awaitedKey, `${Date.now()} ${plain(email)}`)
}

function isAwaited(email: string): boolean {
  const [at, awaited] = kept()?.getItem(awaitedKey)?.split(' ') ?? []
  return Date.now() - Number(at) < awaitedFor && awaited === plain(email)
}

/** Notes a session that came in the address of a page. */
export function noteLinked(access_token: string) {
  const { session_id = '', email = '' } = claimsOf({ access_token })
  if (isOnTrip() || isAwaited(email)) kept()?.removeItem(linkedKey)
  else kept()?.setItem(linkedKey, session_id)
}

/** Whether a session came by a link that this browser did not ask for. */
export function isLinked(session: Session): boolean {
  return kept()?.getItem(linkedKey) === (claimsOf(session).session_id ?? '')
}
