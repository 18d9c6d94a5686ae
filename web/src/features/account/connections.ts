import type { Session, UserIdentity } from '@supabase/auth-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { wantsOwner } from '@/lib/auth-again'
import { authCode, explain, orThrow } from '@/lib/auth-call'
import { claimsOf } from '@/lib/auth-level'
import { providerName } from '@/lib/auth-provider'
import { call } from '@/lib/functions'
import { ownKeys } from '@/lib/own-keys'
import { readAnew } from '@/lib/query'
import { report } from '@/lib/report'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'
import { isGone } from './devices'

/** The ways in that an account has. */
export function useIdentities(user: string) {
  return useQuery({
    queryKey: ownKeys.identities(user),
    queryFn: async (): Promise<UserIdentity[]> => {
      const { data } = orThrow(await (await auth()).getUserIdentities())
      return data?.identities ?? []
    },
    staleTime: 0,
  })
}

// A connection is made elsewhere, and whoever comes back has a new session: what it replaces waits here.
const leftKey = 'greenroom.connecting'
type Left = { provider: string; session: string }

function takeLeft(): Left | null {
  const text = sessionStorage.getItem(leftKey)
  sessionStorage.removeItem(leftKey)
  try {
    return text ? (JSON.parse(text) as Left) : null
  } catch {
    return null // not ours: other scripts of the site may write there
  }
}

/** Leaves for a provider, to come back here with one more way in. */
export function useConnect(session: Session) {
  return useMutation({
    mutationFn: async (provider: string) => {
      const left: Left = { provider, session: claimsOf(session).session_id ?? '' }
      sessionStorage.setItem(leftKey, JSON.stringify(left))
      const redirectTo = `${location.origin}/settings`
      orThrow(await (await auth()).linkIdentity({ provider: provider as 'google', options: { redirectTo } }))
    },
    onError: (error, provider) => {
      takeLeft()
      if (wantsOwner(error)) return
      toast.error(`Failed to reach ${providerName(provider)}`, explain(error, ''))
    },
  })
}

/** After coming back: says that it worked, and ends the session that the new one replaces. */
export function useConnected(session: Session) {
  const now = claimsOf(session).session_id
  const user = session.user.id
  const cache = useQueryClient()
  useEffect(() => {
    const left = takeLeft()
    if (!left || !now || left.session === now) return
    toast.success(`${providerName(left.provider)} connected`)
    call('sessions', { end: left.session })
      .catch((error) => {
        if (isGone(error)) return
        report(error)
        toast.error('Your earlier session is still open', 'You can sign it out under Devices.')
      })
      .finally(() => readAnew(cache, ownKeys.devices(user)))
  }, [now, user, cache])
}

export function useDisconnect(user: string, onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (identity: UserIdentity) => orThrow(await (await auth()).unlinkIdentity(identity)),
    onSuccess: (_, { provider }) => {
      toast.success(provider === 'email' ? 'Password removed' : `${providerName(provider)} disconnected`)
      onDone()
      return readAnew(cache, ownKeys.identities(user))
    },
    onError: (error) => {
      if (wantsOwner(error)) return
      if (authCode(error) === 'single_identity_not_deletable') return toast.error('This is your only way to sign in')
      toast.error('Failed to disconnect', explain(error, ''))
    },
  })
}
