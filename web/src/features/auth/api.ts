import { useMutation } from '@tanstack/react-query'
import { z } from 'zod/v3'
import {
  advice,
  authCode,
  explain,
  isSessionGone,
  orThrow,
  passwordRefusal,
  secret,
  serverMessage,
  setPassword,
  useOnce,
} from '@/lib/auth-call'
import { owesSecondStep } from '@/lib/auth-level'
import { awaitLink } from '@/lib/auth-linked'
import { password } from '@/lib/password'
import { auth } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
import { toast } from '@/ui/toast'

export type Mode = 'sign-in' | 'sign-up' | 'forgot'
export type Credentials = { email: string; password: string }

const email = z.string().trim().email('Invalid email address')

/** What a mode asks of the form: who forgot a password has none to check. */
export const schemaOf = (mode: Mode) => z.object({ email, password: mode === 'forgot' ? z.string() : password })

/** What the server refuses about one field stands at that field. */
export function refusalOf(error: unknown): { field: keyof Credentials; text: string } | null {
  const text = passwordRefusal(error)
  if (text) return { field: 'password', text }
  const aboutEmail = authCode(error) === 'validation_failed' && /email/i.test(serverMessage(error))
  if (aboutEmail || authCode(error) === 'email_address_invalid')
    return { field: 'email', text: 'Invalid email address' }
  return null
}

export const isRegistered = (error: unknown) => /already registered/i.test(serverMessage(error))

const isLocked = (error: unknown) => authCode(error) === 'over_request_rate_limit'
const locked = (error: unknown) => `Too many tries. ${waitAdvice(error)}, or use “Forgot password?”`

export const welcome = () => toast.success('Welcome back!')

/** Signs in; who has a second step is welcomed after it. */
export function useSignIn() {
  return useMutation({
    ...secret,
    mutationFn: async (credentials: Credentials) => orThrow(await (await auth()).signInWithPassword(credentials)),
    onSuccess: ({ data }) => data.session && !owesSecondStep(data.session) && welcome(),
    onError: (error) => {
      if (refusalOf(error)) return
      if (serverMessage(error) === 'Invalid login credentials')
        return toast.error('Invalid email or password. Please try again.')
      toast.error(serverMessage(error) || 'An error occurred', isLocked(error) ? locked(error) : advice(error))
    },
  })
}

/** Mails a code and a link that sign in. Nobody gets an account by it, and nobody learns who has one. */
export function useSendCode() {
  return useOnce('send-code', {
    mutationFn: async (email: string) => {
      const options = { shouldCreateUser: false, emailRedirectTo: `${location.origin}/auth` }
      awaitLink(email)
      orThrow(await (await auth()).signInWithOtp({ email, options }))
    },
    onError: (error) => toast.error(serverMessage(error) || 'Failed to send the email', advice(error)),
  })
}

/** Signs in by a mailed code; who has a second step is welcomed after it. */
export function useSignInByCode(email: string) {
  return useOnce('sign-in-by-code', {
    mutationFn: async (token: string) => orThrow(await (await auth()).verifyOtp({ email, token, type: 'email' })),
    onSuccess: ({ data }) => data.session && !owesSecondStep(data.session) && welcome(),
  })
}

/** Why a mailed code did not sign in. */
export const codeRefusal = (error: unknown) =>
  authCode(error) === 'otp_expired' ? 'That code is wrong or has expired. Check the latest email.' : explain(error)

/** Comes in without an account, where the operator allows it. */
export function useComeAsGuest(onIn: () => void) {
  return useOnce('come-as-guest', {
    mutationFn: async () => orThrow(await (await auth()).signInAnonymously()),
    onSuccess: onIn,
    onError: (error) => toast.error(serverMessage(error) || 'An error occurred', advice(error)),
  })
}

/** Makes an account and signs nobody in: the server's answer holds a session, which ends here. */
export function useSignUp() {
  return useMutation({
    ...secret,
    mutationFn: async (credentials: Credentials) => {
      const client = (await import('@/lib/auth-client')).passingAuth()
      awaitLink(credentials.email)
      const { data } = orThrow(await client.signUp({ ...credentials, options: { emailRedirectTo: location.origin } }))
      // The account stands whether or not its first session could be ended.
      if (data.session) await client.signOut({ scope: 'local' })
      return { confirmed: data.session !== null }
    },
    onSuccess: ({ confirmed }) =>
      toast.success(
        confirmed
          ? 'Account created! You can now sign in.'
          : 'Account created! Please check your inbox to confirm your email.',
      ),
    onError: (error) => {
      if (refusalOf(error)) return
      if (isRegistered(error)) return toast.error('This email is already registered. Please sign in instead.')
      toast.error(serverMessage(error) || 'An error occurred', advice(error))
    },
  })
}

export function useSendResetLink() {
  return useMutation({
    ...secret,
    mutationFn: async (to: string) =>
      orThrow(await (await auth()).resetPasswordForEmail(to, { redirectTo: `${location.origin}/auth/reset-password` })),
    onSuccess: () => toast.success('Password reset email sent! Please check your inbox.'),
    onError: (error) => {
      if (refusalOf(error)) return
      toast.error(serverMessage(error) || 'Failed to send password reset email', advice(error))
    },
  })
}

/** Sends the letter that confirms an address once more. */
export function useResendConfirmation() {
  return useOnce('resend-confirmation', {
    mutationFn: async (to: string) =>
      orThrow(
        await (await auth()).resend({ type: 'signup', email: to, options: { emailRedirectTo: location.origin } }),
      ),
    onSuccess: () => toast.success('Confirmation email sent! Please check your inbox.'),
    onError: (error) => toast.error(serverMessage(error) || 'Failed to send confirmation email', advice(error)),
  })
}

/** Sets the new password and ends the session that the link opened. */
export function useResetPassword() {
  return useMutation({
    ...secret,
    mutationFn: async (chosen: string) => {
      await setPassword(chosen)
      await (await auth()).signOut({ scope: 'local' })
    },
    onSuccess: () => toast.success('Password updated successfully! You can now sign in.'),
    onError: (error) => {
      // The screen says what a lost session means here.
      if (passwordRefusal(error) || isSessionGone(error)) return
      toast.error('Failed to reset password', explain(error, ''))
    },
  })
}
