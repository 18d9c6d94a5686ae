import type { Factor } from '@supabase/auth-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { wantsOwner } from '@/lib/auth-again'
import { authCode, explain, orThrow, useOnce } from '@/lib/auth-call'
import { ownKeys } from '@/lib/own-keys'
import { readAnew } from '@/lib/query'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'
import { lookAgain } from './api'

/** Whether a factor is the account's recovery codes: they stand in for the others, one use each. */
export const areCodes = ({ factor_type }: Factor) => factor_type === 'recovery_code'

/** A code as it is read and written down, in blocks of four. */
export const inBlocks = (code: string) => code.match(/.{1,4}/g)?.join('-') ?? code

/** The letters of a code as people type it; the service forgives the rest. */
export const lettersOf = (typed: string) => typed.replace(/[\s\p{Pd}]/gu, '')

/** How many codes are left. */
export function useCodesLeft(user: string) {
  return useQuery({
    queryKey: ownKeys.recoveryCodes(user),
    queryFn: async () => orThrow(await (await auth()).mfa.recoveryCodes.getStatus()).data?.remaining ?? 0,
    staleTime: 0,
  })
}

/** Makes ten codes, the first or new ones for the old. They are seen this once. */
export function useMakeCodes(user: string, isAnew: boolean, onMade: (codes: string[]) => void) {
  const cache = useQueryClient()
  return useOnce('make-codes', {
    mutationFn: async () => {
      const { recoveryCodes } = (await auth()).mfa
      const { data } = orThrow(await (isAnew ? recoveryCodes.regenerate() : recoveryCodes.generate()))
      if (!data) throw new Error('recovery codes without content')
      return data.codes
    },
    onSuccess: (codes) => {
      onMade(codes)
      return readAnew(cache, ownKeys.factors(user), ownKeys.recoveryCodes(user))
    },
    onError: async (error) => {
      if (wantsOwner(error)) return
      await lookAgain(error)
      toast.error('Failed to make recovery codes', explain(error, ''))
    },
  })
}

export function useRemoveCodes(user: string, onRemoved: () => void) {
  const cache = useQueryClient()
  return useOnce('remove-codes', {
    mutationFn: async () => {
      const client = await auth()
      orThrow(await client.mfa.recoveryCodes.unenroll())
      await client.refreshSession()
    },
    onSuccess: () => {
      toast.success('Recovery codes removed')
      onRemoved()
      return readAnew(cache, ownKeys.factors(user), ownKeys.devices(user))
    },
    onError: async (error) => {
      if (wantsOwner(error)) return
      await lookAgain(error)
      toast.error('Failed to remove the recovery codes', explain(error, ''))
    },
  })
}

/** Answers with a recovery code; the session passes the second step. */
export function useRecover(onPassed?: () => void) {
  return useOnce('recover', {
    mutationFn: async (code: string) => orThrow(await (await auth()).mfa.recoveryCodes.verify({ code })),
    onSuccess: () => onPassed?.(),
    onError: lookAgain,
  })
}

/** Why a recovery code was refused. */
export function recoverRefusal(error: unknown): string {
  if (authCode(error) === 'mfa_verification_failed') return 'That code is incorrect, or you have used it before.'
  return explain(error)
}
