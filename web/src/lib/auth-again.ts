import { rememberWanted } from './memory'
import { auth } from './session'

/** Signs out, to sign in anew and come back: what was asked for wants a fresh session. */
export async function signInAgain(path: string) {
  await (await auth()).signOut({ scope: 'local' })
  // Signing out forgets the visit, so this comes after it.
  rememberWanted(path)
}
