import type { Session } from '@supabase/auth-js'
import { noteArrivalError, noteArrivalNews } from './arrival'
import { authCode } from './auth-call'
import { isLinked } from './auth-linked'

// A guest who signs up or in has another account from then on. Their token is kept over that, so that their list can go
// with them: whoever holds both tokens is both people.

const keptKey = 'greenroom-guest'

type Kept = { user: string; access: string; refresh: string; until: number }

function keep({ user, access_token, refresh_token, expires_at = 0 }: Session) {
  const kept: Kept = { user: user.id, access: access_token, refresh: refresh_token, until: expires_at }
  localStorage.setItem(keptKey, JSON.stringify(kept))
}

function read(): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(keptKey) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

const forget = () => localStorage.removeItem(keptKey)

let tried = ''

/** Hears of every session of this browser: keeps a guest's, and gives its list to who comes after them. */
export function followGuest(session: Session | null, renew: (refresh: string) => Promise<Session | null>) {
  try {
    follow(session, renew)
  } catch {
    // Where nothing can be kept, nothing goes along.
  }
}

function follow(session: Session | null, renew: (refresh: string) => Promise<Session | null>) {
  if (!session) return forget()
  if (session.user.is_anonymous) return keep(session)
  const kept = read()
  if (!kept) return
  // They took an account themselves: it is the same one.
  if (kept.user === session.user.id) return forget()
  if (isLinked(session)) return
  if (tried === session.user.id) return
  tried = session.user.id
  // After the client is done telling, for the call asks it for the new token.
  setTimeout(() => void adopt(kept, renew))
}

const gone = ['guest_not_found', 'refresh_token_not_found', 'refresh_token_already_used', 'session_not_found']

async function adopt(kept: Kept, renew: (refresh: string) => Promise<Session | null>) {
  try {
    const { call } = await import('./functions')
    const isOld = kept.until * 1000 < Date.now()
    const token = isOld ? (await renew(kept.refresh))?.access_token : kept.access
    const { kept: courses } = await call<{ kept: number }>('adopt-guest', { token })
    forget()
    if (courses > 0) noteArrivalNews('The courses you saved as a guest are in My List')
  } catch (error) {
    // Another tab was quicker, or the guest is no more.
    if (gone.includes(authCode(error))) return forget()
    noteArrivalError(
      'The courses you saved as a guest could not be moved. We’ll try again the next time you open Greenroom.',
    )
  }
}
