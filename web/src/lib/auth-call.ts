import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { auth } from './session'
import { waitAdvice } from './wait'

/** For a mutation that carries a password: the cache must not keep it, and offline it fails at once. */
export const secret = { gcTime: 0, networkMode: 'always' } as const

/**
 * A secret mutation that is started once, by whichever button of its name: a press before the last one has shown is no
 * second one.
 */
export function useOnce<Data, Variables = void>(
  name: string,
  options: Pick<UseMutationOptions<Data, Error, Variables>, 'mutationFn' | 'onMutate' | 'onSuccess' | 'onError'>,
) {
  const client = useQueryClient()
  const mutationKey = ['once', name]
  const mutation = useMutation({ ...secret, ...options, mutationKey })
  const mutate: typeof mutation.mutate = (...how) => {
    if (client.isMutating({ mutationKey }) === 0) mutation.mutate(...how)
  }
  return { ...mutation, mutate }
}

/** Throws what the auth service refused, so that a mutation fails when its call did. */
export function orThrow<T extends { error: unknown }>(answer: T): T {
  if (answer.error) throw answer.error
  return answer
}

// The client's errors are told apart by their fields: its classes would bring the client along.

type Fields = { message?: unknown; code?: unknown; status?: unknown; name?: unknown }

const fields = (error: unknown): Fields => (typeof error === 'object' && error !== null ? error : {})

export function authCode(error: unknown): string {
  const { code } = fields(error)
  return typeof code === 'string' ? code : ''
}

/** Whether an email was refused because one has just been sent. */
export const isMailLimited = (error: unknown) => authCode(error) === 'over_email_send_rate_limit'

/** What the server said, for people; '' when it was not reached or had nothing to say. */
export function serverMessage(error: unknown): string {
  const { message, status } = fields(error)
  if (typeof status !== 'number' || status < 400 || typeof message !== 'string') return ''
  // A failure without words reaches us as the JSON of its body.
  return message.startsWith('{') ? '' : message
}

/** What to do about it, where the message alone does not say. */
export function advice(error: unknown): string | undefined {
  const { status } = fields(error)
  // This message counts the seconds itself.
  if (isMailLimited(error)) return undefined
  const wait = waitAdvice(error)
  if (wait) return `${wait}.`
  if (typeof status !== 'number' || status === 0) return 'Check your connection and try again.'
  if (status >= 500) return 'The fault is ours. Please try again in a moment.'
  return undefined
}

/** What the server said and what to do about it, in one line. */
export function explain(error: unknown, otherwise = 'An error occurred'): string {
  const limited = authCode(error) === 'over_request_rate_limit'
  const said = limited ? 'Too many tries' : serverMessage(error) || otherwise
  const next = advice(error) ?? ''
  return said && next ? `${said.replace(/\.$/, '')}. ${next}` : said || next
}

/** Whether the session that a call needs is gone. */
export function isSessionGone(error: unknown): boolean {
  const { name } = fields(error)
  return (
    name === 'AuthSessionMissingError' || ['session_not_found', 'bad_jwt', 'user_not_found'].includes(authCode(error))
  )
}

/** Sets the password of who is signed in; a session that the server has ended ends here too. */
export async function setPassword(password: string, code = '') {
  const client = await auth()
  const { error } = await client.updateUser({ password, ...(code && { nonce: code }) })
  if (isSessionGone(error)) await client.signOut({ scope: 'local' })
  if (error) throw error
}

/** What the server has against a new password, to stand at its field; '' when it is something else. */
export function passwordRefusal(error: unknown): string {
  if (['weak_password', 'same_password'].includes(authCode(error))) return serverMessage(error)
  if (authCode(error) === 'validation_failed' && /^password /i.test(serverMessage(error))) return serverMessage(error)
  return ''
}
