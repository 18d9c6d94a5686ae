import type { PasskeyListItem } from '@supabase/auth-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { wantsOwner } from '@/lib/auth-again'
import { authCode, explain, isSessionGone, orThrow, useOnce } from '@/lib/auth-call'
import { isCancelled, isKnownKey } from '@/lib/auth-key'
import { ownKeys } from '@/lib/own-keys'
import { readAnew } from '@/lib/query'
import { auth } from '@/lib/session'
import { showAside } from '@/ui/aside'
import { toast } from '@/ui/toast'

/** A way in by one gesture. Where it was made, and whether it is on other devices, too, only this service tells. */
export type Passkey = PasskeyListItem & { device?: string; synced?: boolean }

export const nameOf = ({ friendly_name, device }: Passkey) => friendly_name || device || 'Passkey'

export function usePasskeys(user: string) {
  return useQuery({
    queryKey: ownKeys.passkeys(user),
    queryFn: async (): Promise<Passkey[]> => orThrow(await (await auth()).passkey.list()).data ?? [],
    staleTime: 0,
  })
}

const late = 'That took too long. Please try again.'

const words: Record<string, string> = {
  webauthn_verification_failed: 'That passkey doesn’t open an account here. It may have been removed.',
  webauthn_challenge_expired: late,
  webauthn_challenge_not_found: late,
  user_banned: 'This account is suspended. Please contact support.',
  email_not_confirmed: 'Confirm your email first: open the link in the email we sent you.',
}

/** What the service has against a passkey that was given to it; '' when it is something else. */
export const answerRefusal = (error: unknown) => words[authCode(error)] ?? ''

/** Why a sign-in did not work; '' for who closed the browser's question. */
export const signInRefusal = (error: unknown) => (isCancelled(error) ? '' : answerRefusal(error) || explain(error))

const addingWords: Record<string, string> = {
  too_many_passkeys: 'You already have ten passkeys. Remove one first.',
  webauthn_credential_exists: 'This passkey is already on an account.',
  webauthn_verification_failed: 'This device could not make a passkey. Try another one.',
  webauthn_challenge_expired: late,
  webauthn_challenge_not_found: late,
}

/** Why no passkey was added; '' for who closed the browser's question. */
export function addingRefusal(error: unknown): string {
  if (isCancelled(error)) return ''
  if (isKnownKey(error)) return 'This device already has a passkey for your account.'
  return addingWords[authCode(error)] || explain(error)
}

/** Has this device make a passkey. */
export function useAddPasskey(user: string) {
  const cache = useQueryClient()
  return useOnce('add-passkey', {
    mutationFn: async (): Promise<Passkey> => {
      const { data } = orThrow(await (await auth()).registerPasskey())
      if (!data) throw new Error('a passkey without content')
      return data
    },
    onSuccess: (passkey) => {
      showAside(null)
      toast.success(`${nameOf(passkey)} was added`, 'Next time you can sign in with this passkey.')
      return readAnew(cache, ownKeys.passkeys(user))
    },
    onError: leaveIfGone,
  })
}

export function useRenamePasskey(user: string, onDone: () => void) {
  const cache = useQueryClient()
  return useOnce('rename-passkey', {
    mutationFn: async ({ passkeyId, friendlyName }: { passkeyId: string; friendlyName: string }) =>
      orThrow(await (await auth()).passkey.update({ passkeyId, friendlyName })),
    onSuccess: () => {
      toast.success('Passkey renamed')
      onDone()
      return readAnew(cache, ownKeys.passkeys(user))
    },
    onError: leaveIfGone,
  })
}

/** Takes a passkey off the account. The session may be weaker afterwards, so its token is made anew. */
export function useRemovePasskey(user: string, onRemoved: () => void) {
  const cache = useQueryClient()
  return useOnce('remove-passkey', {
    mutationFn: async (passkeyId: string) => {
      const client = await auth()
      const { error } = await client.passkey.delete({ passkeyId })
      // One that is gone already is what was wanted.
      if (error && error.status !== 404) throw error
      await client.refreshSession()
    },
    onSuccess: () => {
      toast.success('Passkey removed', 'Delete it on your device, too, so that it’s no longer offered there.')
      onRemoved()
      return readAnew(cache, ownKeys.passkeys(user), ownKeys.devices(user))
    },
    onError: async (error) => {
      if (wantsOwner(error)) return
      await leaveIfGone(error)
      toast.error('Failed to remove the passkey', explain(error, ''))
    },
  })
}

async function leaveIfGone(error: unknown) {
  if (!isSessionGone(error)) return
  await (await auth()).signOut({ scope: 'local' })
  toast.error('Your session has ended. Please sign in again.')
}
