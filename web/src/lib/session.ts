import type { AuthClient as AuthClientClass, Session } from '@supabase/auth-js'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { addressCarriesOutcome, noteArrivalError } from './arrival'
import { forgetVisit, type Press, takeInterrupted } from './memory'

// The auth client is large and a visitor without a session never needs it: it is loaded when a
// stored session exists, when a link of a letter was opened, or when a screen asks for it.

export type SessionState =
  | { status: 'loading'; session: null }
  | { status: 'anonymous'; session: null }
  | { status: 'signed-in'; session: Session }

export type AuthClient = InstanceType<typeof AuthClientClass>

const storageKey = 'sb-greenroom-auth-token'
const loading: SessionState = { status: 'loading', session: null }
const anonymous: SessionState = { status: 'anonymous', session: null }

let state: SessionState = loading
let client: Promise<AuthClient> | undefined
const listeners = new Set<() => void>()

function become(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

function hasStoredSession(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

async function open(): Promise<AuthClient> {
  const { openAuth } = await import('./auth-client')
  const opened = await openAuth(storageKey)
  opened.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') forgetVisit()
    become(session ? { status: 'signed-in', session } : anonymous)
  })
  return opened
}

/** The auth client, loaded on first use. */
export function auth(): Promise<AuthClient> {
  client ??= open().catch((error) => {
    client = undefined
    throw error
  })
  return client
}

/** Finds out who is here; call once when the page has started. */
export function startSession() {
  // Another tab may sign in while this one has no client that would hear of it.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && newValue && !client) restore()
  })
  if (addressCarriesOutcome()) restore()
  else if (hasStoredSession()) whenIdle(restore)
  else become(anonymous)
}

// Without the auth client nobody can be signed in, but the open pages go on working.
function restore() {
  auth().catch(() => become(anonymous))
}

function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 1000 })
  else setTimeout(work, 1)
}

/** Who is here for certain, waiting until it is known; refreshed when it is about to expire. */
export async function knownSession(): Promise<Session | null> {
  if (!client && !hasStoredSession()) return null
  const { data } = await (await auth()).getSession()
  return data.session
}

/** The token for a call; null without a session. */
export async function accessToken(): Promise<string | null> {
  return (await knownSession())?.access_token ?? null
}

let judging = false

/** The server refused the token. If the session gives no new one either, it has ended, and ends here too. */
export async function judgeSession() {
  if (judging || state.status !== 'signed-in') return
  judging = true
  try {
    const client = await auth()
    const { error } = await client.refreshSession()
    if (!error || error.name === 'AuthRetryableFetchError') return
    noteArrivalError('Your session has ended. Please sign in again.')
    await client.signOut({ scope: 'local' })
  } finally {
    judging = false
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who is here: 'loading' on the server and until it is known. */
export function useSession(): SessionState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => loading,
  )
}

const readerId = () => state.session?.user.id ?? ''

/** The reader's id; '' for a stranger and until it is known. What needs no more is not drawn anew for a stranger. */
export function useReaderId(): string {
  return useSyncExternalStore(subscribe, readerId, () => '')
}

const nothing: Press = { button: '', words: '' }
let due = nothing
let isDone = false

/** After sign-in, what was pressed before it counts, if its button is on the page that sign-in leads back to. */
export function resumePress() {
  due = takeInterrupted()
  isDone = false
  setTimeout(() => {
    due = nothing
  }, 10_000)
}

/** Brings who was led away back to what they pressed: the card that it is on, where it is on one. */
function standAt(button: HTMLElement) {
  const card = button.closest('article')
  const place = card ?? button
  const { top, right, bottom } = place.getBoundingClientRect()
  if (top < 0 || right > innerWidth || bottom > innerHeight) place.scrollIntoView({ block: 'center' })
  // A place on a waitlist is taken once, and its button is off then: the card's link is what is left. A heart stays.
  const link = button.matches('[aria-pressed]') ? null : card?.querySelector('a')
  ;(link ?? button).focus({ preventScroll: true })
}

/**
 * What a button has whose work depends on who presses it. A press while that is not known yet counts as soon as it is: a reader who
 * is quicker than their session must not be taken for a stranger. A stranger's press counts after the sign-in
 * that it leads to (`useSignIn`): `isAgain`.
 */
export function usePress(what: Press, work: (isSignedIn: boolean, isAgain: boolean, pressed: Press) => void) {
  const ref = useRef<HTMLButtonElement>(null)
  const [held, hold] = useState(false)
  const isKnown = () => state.status !== 'loading'
  const isIn = () => state.session !== null && !(what.takesAccount && state.session.user.is_anonymous)
  const row = () => ref.current?.closest('section')?.getAttribute('aria-label') ?? ''
  const press = () => {
    if (!isKnown()) return hold(true)
    work(isIn(), false, { ...what, row: row() })
  }
  const isDue = useSyncExternalStore(
    subscribe,
    () => (held && isKnown()) || (due.button === what.button && isIn()),
    () => false,
  )
  useEffect(() => {
    if (!isDue) return
    hold(false)
    if (held) return press()
    if (due.button !== what.button) return
    // The same course may stand on the page twice: any does the work, and its reader stands where they pressed.
    if (!isDone) work(true, true, what)
    isDone = true
    if (due.row !== row()) return
    due = nothing
    // After the page itself, which begins at its top.
    setTimeout(() => ref.current && standAt(ref.current))
  })
  return { ref, onClick: press }
}

/** The session at this moment, for what looks once. */
export const currentSession = (): SessionState => state

/** Sets the state directly: for tests of screens that only look at it. */
export function provideSession(next: SessionState) {
  become(next)
}
