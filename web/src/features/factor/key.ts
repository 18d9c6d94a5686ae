import type { MFAVerifyWebauthnParams } from '@supabase/auth-js'
import { orThrow } from '@/lib/auth-call'
import { auth } from '@/lib/session'
import { settings } from '@/lib/settings'

// A security key, or a passkey of the device, answers for one site alone: for its name, and never for an IP address.

const isAddress = (host: string) => /^[\d.]+$|:/.test(host)

/** Whether keys can be used here: in this browser, and at the address that the site calls its own. */
export const keysWork = () =>
  typeof PublicKeyCredential !== 'undefined' &&
  settings().siteUrl.startsWith(location.origin) &&
  !isAddress(location.hostname)

const site = () => ({ rpId: location.hostname, rpOrigins: [location.origin] })

/** Has a key answer a new question: its first answer makes it a factor, later ones pass the second step. */
export async function answerWithKey(factorId: string) {
  const { mfa } = await auth()
  const { data } = orThrow(await mfa.challenge({ factorId, webauthn: site() }))
  if (!data) throw new Error('a question without content')
  const { type, credential_options: options } = data.webauthn
  const credential =
    type === 'create'
      ? await navigator.credentials.create(options as CredentialCreationOptions)
      : await navigator.credentials.get(options as CredentialRequestOptions)
  const webauthn = { type, ...site(), credential_response: credential } as MFAVerifyWebauthnParams['webauthn']
  return orThrow(await mfa.verify({ factorId, challengeId: data.id, webauthn }))
}

const nameOf = (error: unknown) => (error as { name?: string } | null)?.name ?? ''

/** Whether the person closed the browser's question, or let it pass. */
export const isCancelled = (error: unknown) => ['NotAllowedError', 'AbortError'].includes(nameOf(error))

export const isKnownKey = (error: unknown) => nameOf(error) === 'InvalidStateError'
