import { advice, authCode, isMailLimited, isSessionGone, serverMessage } from './auth-call'
import { rememberWanted } from './memory'
import { auth } from './session'
import { waitAdvice } from './wait'

/** Signs out, to sign in anew and come back: what was asked for wants a fresh session. */
export async function signInAgain(path: string) {
  await (await auth()).signOut({ scope: 'local' })
  // Signing out forgets the visit, so this comes after it.
  rememberWanted(path)
}

/** Whether the service wants to know again who is here, before it does what was asked. */
export const wantsOwner = (error: unknown) => authCode(error) === 'reauthentication_needed'

/** Shows the service that it is the owner who is here, by the password or by a mailed code. */
export async function showOwner(proof: { current_password: string } | { nonce: string }) {
  const client = await auth()
  const { error } = await client.updateUser(proof)
  if (isSessionGone(error)) await client.signOut({ scope: 'local' })
  if (error) throw error
}

/** Mails the owner a code that shows that it is them. */
export async function mailCode() {
  const { error } = await (await auth()).reauthenticate()
  if (error) throw error
}

/** Why no code was mailed, and what to do about it. */
export function noCode(error: unknown): [text: string, description: string | undefined] {
  if (isMailLimited(error)) return ['We just sent you a code.', `${waitAdvice(error)}.`]
  return [serverMessage(error) || 'An error occurred', advice(error)]
}
