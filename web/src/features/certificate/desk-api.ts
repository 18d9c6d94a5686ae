import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BackendError, orThrow, rest } from '@/lib/backend'
import { call } from '@/lib/functions'
import { keys } from '@/lib/keys'
import type { Read } from '@/lib/read'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'
import { type Certificate, certificateKey } from './api'

type Known = { user_id: string | null; revoked_for: string | null }

/** What its holder and admins know of a certificate besides; nothing for everybody else. */
export const knownOf = (code: string): Read<Known> => ({
  table: 'certificates',
  columns: { user_id: 'string?', revoked_for: 'string?' },
  where: [['code', 'eq', code]],
  limit: 1,
})

function useRenew(code: string) {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: certificateKey(code) }),
      client.invalidateQueries({ queryKey: keys.table('certificates') }),
    ])
    // What was pressed is gone: the keys go on where the page says whose it is now.
    document.querySelector<HTMLElement>('.certificate h1')?.focus()
  }
}

const said = (error: unknown, otherwise: string) =>
  toast.error(error instanceof BackendError && error.status > 0 ? error.message : otherwise)

/** Puts somebody's name on their certificate; an account without that name gets it first. */
export function useSignIt(code: string, known: string) {
  const renew = useRenew(code)
  return useMutation({
    mutationFn: async (name: string) => {
      if (name !== known) {
        const { error } = await (await auth()).updateUser({ data: { name } })
        if (error) throw error
      }
      await call<Certificate>('name-certificate', { code })
    },
    onSuccess: async () => {
      toast.success('Your name is on your certificate')
      await renew()
    },
    onError: (error) => said(error, 'Failed to save your name. Please try again.'),
  })
}

/** Withdraws a certificate for a reason, or gives it back. */
export function useWithdraw(code: string) {
  const renew = useRenew(code)
  return useMutation({
    mutationFn: async (reason: string | null) => {
      const values = { revoked_at: reason === null ? null : new Date().toISOString(), revoked_for: reason }
      orThrow(await (await rest()).from('certificates').update(values).eq('code', code).select('id').single())
    },
    onSuccess: async (_, reason) => {
      toast.success(reason === null ? 'Certificate restored' : 'Certificate withdrawn')
      await renew()
    },
    onError: (error) => said(error, 'Failed to save the change. Please try again.'),
  })
}
