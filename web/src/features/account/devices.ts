import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { explain, orThrow } from '@/lib/auth-call'
import { BackendError } from '@/lib/backend'
import { ask, call } from '@/lib/functions'
import { ownKeys } from '@/lib/own-keys'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'

export type Device = {
  id: string
  device: string
  address: string
  created_at: string
  last_seen_at: string
  current: boolean
}

/** Where an account is signed in, the place seen last first. */
export function useDevices(user: string) {
  return useQuery({
    queryKey: ownKeys.devices(user),
    queryFn: async ({ signal }) => (await ask<{ sessions: Device[] }>('sessions', signal)).sessions,
    staleTime: 0,
  })
}

/** Whether a session had ended already. */
export const isGone = (error: unknown) => error instanceof BackendError && error.status === 404

/** Ends one session. One that has ended already is what was wanted. */
export function useEndDevice(user: string, onEnded: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Device) =>
      call('sessions', { end: id }).catch((error) => {
        if (!isGone(error)) throw error
      }),
    onSuccess: (_, { id, device }) => {
      cache.setQueryData<Device[]>(ownKeys.devices(user), (all) => all?.filter((one) => one.id !== id))
      toast.success(`${device} was signed out`)
      onEnded()
    },
    onError: (error) => toast.error('Failed to sign out the device', explain(error, '')),
  })
}

/** Ends every session but this one. */
export function useEndOthers(user: string, onEnded: () => void) {
  const cache = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: async () => orThrow(await (await auth()).signOut({ scope: 'others' })),
    onSuccess: () => {
      cache.setQueryData<Device[]>(ownKeys.devices(user), (all) => all?.filter(({ current }) => current))
      toast.success('Signed out everywhere else')
      onEnded()
    },
    onError: (error) => toast.error('Failed to sign out the other devices', explain(error, '')),
  })
}
