import { useQuery } from '@tanstack/react-query'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'

export type Workshop = {
  id: string
  title: string
  host: string
  about: string
  learn: string
  date_text: string
  starts_at: string | null
  time_text: string
  duration_minutes: number
  spots: number
  spots_left: number
}

export const featuredWorkshop: Read<Workshop> = {
  table: 'workshops',
  select: 'id,title,host,about,learn,date_text,starts_at,time_text,duration_minutes,spots,spots_left',
  order: [['id', 'asc']],
  limit: 1,
}

/** The page may come from a cache: how many spots are left is asked for again. */
export function useWorkshop() {
  return useQuery({ ...readQuery(featuredWorkshop), staleTime: 0 })
}
