import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { mailCode, noCode } from '@/lib/auth-again'
import { authCode, explain, isMailLimited, isSessionGone, secret } from '@/lib/auth-call'
import { ask, call } from '@/lib/functions'
import { ownKeys } from '@/lib/own-keys'
import { readAnew } from '@/lib/query'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'

/** Whether somebody has shown that the account's address is theirs, and whether there is a password to show with it. */
export type Standing = { proven: boolean; password: boolean }

export function useStanding(user: string) {
  return useQuery({
    queryKey: ownKeys.standing(user),
    queryFn: ({ signal }) => ask<Standing>('prove-address', signal),
    staleTime: 0,
  })
}

/** Mails a code. `onSent` also hears of one that is on its way already: a second one was refused for it. */
export function useMailCode(onSent: (isEarlier: boolean) => void) {
  return useMutation({
    ...secret,
    mutationFn: mailCode,
    onSuccess: () => onSent(false),
    onError: (error) => {
      if (isMailLimited(error)) onSent(true)
      toast.error(...noCode(error))
    },
  })
}

export type Proof = { code: string; password: string }

/** Shows by a mailed code and the password that the address is theirs. What others set up goes, so it is read anew. */
export function useProve(user: string, onProven: () => void) {
  const cache = useQueryClient()
  return useMutation({
    ...secret,
    mutationFn: (proof: Proof) => call<Standing>('prove-address', proof),
    onSuccess: (standing) => {
      cache.setQueryData(ownKeys.standing(user), standing)
      toast.success('Your email is confirmed')
      onProven()
      return readAnew(cache, ownKeys.devices(user), ownKeys.identities(user))
    },
    onError: async (error) => {
      if (isSessionGone(error)) await (await auth()).signOut({ scope: 'local' })
    },
  })
}

const places: Record<string, keyof Proof> = {
  reauthentication_not_valid: 'code',
  current_password_invalid: 'password',
  current_password_required: 'password',
}

/** Why a proof was refused, and which part of it. */
export function refusalOf(error: unknown): { field: keyof Proof; text: string } | null {
  if (!error) return null
  return { field: places[authCode(error)] ?? 'code', text: explain(error) }
}
