import type { MFAVerifyWebauthnParams } from '@supabase/auth-js'
import { orThrow } from '@/lib/auth-call'
import { auth } from '@/lib/session'

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
