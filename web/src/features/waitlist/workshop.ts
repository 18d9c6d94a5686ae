import { useQuery } from '@tanstack/react-query'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { type Workshop, workshopColumns } from '@/lib/rows'

export type { Workshop }

export const featuredWorkshop: Read<Workshop> = {
  table: 'workshops',
  columns: workshopColumns,
  order: [['id', 'asc']],
  limit: 1,
}

/** The page may come from a cache: how many spots are left is asked for again. */
export function useWorkshop() {
  return useQuery({ ...readQuery(featuredWorkshop), staleTime: 0 })
}
