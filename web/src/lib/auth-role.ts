import { useQuery } from '@tanstack/react-query'
import { readQuery } from './query'
import type { Read } from './read'

const adminRole = (user: string): Read<{ role: string }> => ({
  table: 'user_roles',
  columns: { role: 'string' },
  where: [
    ['user_id', 'eq', user],
    ['role', 'eq', 'admin'],
  ],
  limit: 1,
})

/** Whether the account is an administrator's; what they may do is decided by the server. */
export function useIsAdmin(user: string) {
  return useQuery({ ...readQuery(adminRole(user)), select: ({ rows }) => rows.length > 0, staleTime: 0 })
}
