import type { Factor } from '@supabase/auth-js'
import { authCode, explain, isSessionGone, orThrow, useOnce } from '@/lib/auth-call'
import { isCancelled, isKnownKey } from '@/lib/auth-key'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'
import { answerWithKey } from './key'

const kinds: Record<string, string> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  recovery_code: 'Recovery codes',
}

export const kindOf = ({ factor_type }: Factor) => kinds[factor_type] ?? 'Two-step verification'

/** What its owner calls a factor. */
export const nameOf = (factor: Factor) => factor.friendly_name || kindOf(factor)

/** The factor to begin with: the one that was asked for last. */
export function likeliest(factors: readonly Factor[]): Factor | undefined {
  const asked = (factor: Factor) => Date.parse(factor.last_challenged_at ?? '') || 0
  return factors.toSorted((a, b) => asked(b) - asked(a))[0]
}

/** The digits of a code as people type and paste them: '123 456', '123-456'. */
export const digitsOf = (text: string) => text.replace(/\D/g, '')

const refusals: Record<string, string> = {
  mfa_verification_failed: 'That code is incorrect. Try the next one your app shows.',
  mfa_challenge_expired: 'That took too long. Please try again.',
  mfa_ip_address_mismatch: 'That took too long. Please try again.',
  mfa_factor_not_found: 'This method was removed in the meantime.',
}

/** Why a second step was refused, to stand where it was tried. */
export function refusalOf(error: unknown): string {
  if (isCancelled(error)) return 'Your key didn’t respond. Please try again.'
  if (isKnownKey(error)) return 'This key is already on your account.'
  return refusals[authCode(error)] || explain(error)
}

/** What this device knows of the account is old: it asks anew, and leaves when its session has ended. */
export async function lookAgain(error: unknown) {
  const client = await auth()
  if (isSessionGone(error)) {
    await client.signOut({ scope: 'local' })
    toast.error('Your session has ended. Please sign in again.')
  } else if (['mfa_factor_not_found', 'insufficient_aal'].includes(authCode(error))) await client.refreshSession()
}

/** Answers with the code of an authenticator app; the session passes the second step. */
export function useVerifyCode(factorId: string, onPassed?: () => void) {
  return useOnce('verify-code', {
    mutationFn: async (code: string) => orThrow(await (await auth()).mfa.challengeAndVerify({ factorId, code })),
    onSuccess: () => onPassed?.(),
    onError: lookAgain,
  })
}

/** Answers with a security key or a passkey. */
export function useAnswerWithKey(factorId: string, onPassed?: () => void) {
  return useOnce('answer-with-key', {
    mutationFn: () => answerWithKey(factorId),
    onSuccess: () => onPassed?.(),
    onError: lookAgain,
  })
}
