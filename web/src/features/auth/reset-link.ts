import type { Session } from '@supabase/auth-js'
import { claimsOf } from '@/lib/auth-level'

/** Whether a mailed link opened the session: only then may a password be set that nobody typed before. */
export function openedByLink(session: Session): boolean {
  return claimsOf(session).amr?.some(({ method }) => method === 'otp' || method === 'recovery') ?? false
}
