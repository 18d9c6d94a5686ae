import type { Session } from '@supabase/auth-js'

type Claims = { amr?: { method: string }[] }

function claimsOf(token: string): Claims {
  try {
    const payload = token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Claims
  } catch {
    return {}
  }
}

/** Whether a mailed link opened the session: only then may a password be set that nobody typed before. */
export function openedByLink({ access_token }: Session): boolean {
  return claimsOf(access_token).amr?.some(({ method }) => method === 'otp' || method === 'recovery') ?? false
}
