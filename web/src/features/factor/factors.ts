import type { Factor } from '@supabase/auth-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { wantsOwner } from '@/lib/auth-again'
import { authCode, orThrow, secret } from '@/lib/auth-call'
import { ownKeys } from '@/lib/own-keys'
import { readAnew } from '@/lib/query'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'
import { lookAgain, refusalOf } from './api'
import { answerWithKey } from './key'

/** The second steps of an account, as the server knows them. */
export function useFactors(user: string) {
  return useQuery({
    queryKey: ownKeys.factors(user),
    queryFn: async (): Promise<Factor[]> => {
      const { data } = orThrow(await (await auth()).mfa.listFactors())
      return (data?.all ?? []).filter(({ status }) => status === 'verified')
    },
  })
}

/** A change of the second steps changes the list, and may end other sessions. */
function useLookAnew(user: string) {
  const cache = useQueryClient()
  return () => readAnew(cache, ownKeys.factors(user), ownKeys.devices(user))
}

const refusals: Record<string, string> = {
  mfa_factor_name_conflict: 'You already use this name. Choose another one.',
  too_many_enrolled_mfa_factors: 'You already have ten methods. Remove one first.',
  mfa_verification_failed: 'That key could not be added. It may already be on an account.',
}

/** Why a second step could not be added. */
export const addingRefusal = (error: unknown) => refusals[authCode(error)] || refusalOf(error)

/** Begins with an authenticator app: what it needs to know, as a picture and as text. */
export function useBeginApp() {
  return useMutation({
    ...secret,
    mutationFn: async (friendlyName: string) => {
      const { data } = orThrow(await (await auth()).mfa.enroll({ factorType: 'totp', friendlyName }))
      if (!data) throw new Error('an enrolment without content')
      return { id: data.id, picture: data.totp.qr_code, secret: data.totp.secret, address: data.totp.uri }
    },
    onError: lookAgain,
  })
}

/** Gives up a factor that was begun, so that its name is free again. */
export const abandon = async (factorId: string) => void (await (await auth()).mfa.unenroll({ factorId }))

/** What follows a factor that is on the account now. */
export function useAdded(user: string) {
  const lookAnew = useLookAnew(user)
  return (name: string) => {
    toast.success(`${name} was added to your account`, 'Devices that haven’t verified are signed out.')
    return lookAnew()
  }
}

/** Puts a key on the account; one that did not answer leaves nothing behind. */
export function useAddKey() {
  return useMutation({
    ...secret,
    mutationFn: async (friendlyName: string) => {
      const { mfa } = await auth()
      const { data } = orThrow(await mfa.enroll({ factorType: 'webauthn', friendlyName }))
      if (!data) throw new Error('an enrolment without content')
      try {
        await answerWithKey(data.id)
      } catch (error) {
        await abandon(data.id).catch(() => undefined)
        throw error
      }
    },
    onError: lookAgain,
  })
}

/** Takes a factor off the account. The session may owe another one afterwards, so its token is made anew. */
export function useRemoveFactor(user: string, onRemoved: () => void) {
  const lookAnew = useLookAnew(user)
  return useMutation({
    ...secret,
    mutationFn: async (factorId: string) => {
      const client = await auth()
      orThrow(await client.mfa.unenroll({ factorId }))
      await client.refreshSession()
    },
    onSuccess: () => {
      toast.success('Verification method removed')
      onRemoved()
      return lookAnew()
    },
    onError: async (error) => {
      if (wantsOwner(error)) return
      await lookAgain(error)
      toast.error('Failed to remove the verification method', refusalOf(error))
    },
  })
}
