import type { Factor, Session } from '@supabase/auth-js'
import type { ComponentType } from 'react'

type Claims = { aal?: string; session_id?: string; email?: string; amr?: { method: string }[] }

/** What the token of a session says; nothing when it cannot be read. */
export function claimsOf({ access_token }: Pick<Session, 'access_token'>): Claims {
  try {
    const payload = access_token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Claims
  } catch {
    return {}
  }
}

/** The second steps that guard the account. Recovery codes stand in for one, and are asked for in another way. */
export const guardsOf = ({ user }: Session): Factor[] => (user.factors ?? []).filter(guards)

/** Whether a second step guards an account by itself. */
export const guards = ({ status, factor_type }: Factor) => status === 'verified' && factor_type !== 'recovery_code'

/** Whether the account has a second step that this session has not passed. */
export const owesSecondStep = (session: Session) => claimsOf(session).aal !== 'aal2' && guardsOf(session).length > 0

export type SecondStepProps = {
  session: Session
  /** What comes after it, on the button. */
  action: string
  /** Why it is asked for here. */
  reason?: string
  onPassed?: () => void
}

/** The form that asks for it: features/factor draws it, and routes hand it to the screens that need it. */
export type SecondStepForm = ComponentType<SecondStepProps>
