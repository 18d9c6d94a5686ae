import { useMutation, useQueryClient } from '@tanstack/react-query'
import { orThrow, rest } from '@/lib/backend'
import { keys } from '@/lib/keys'
import { readAnew } from '@/lib/query'
import { toast } from '@/ui/toast'
import { refusalOr } from './course-api'
import { useAdminKey, usePatchRows } from './pages'

/** Removes an entry of a list for good. */
export function useDeleteEntry(table: 'course_waitlist' | 'course_recommendations') {
  const patch = usePatchRows<{ id: string }>(table)
  return useMutation({
    mutationFn: async (id: string) => {
      orThrow(await (await rest()).from(table).delete().eq('id', id))
    },
    onSuccess: (_, id) => {
      patch((rows) => rows.filter((row) => row.id !== id))
      toast.success('Entry deleted successfully')
    },
    onError: (error) => toast.error(refusalOr(error, 'Failed to delete entry')),
  })
}

/** Removes a registration, which gives its spot to who waits longest: the lists are read again. */
export function useDeleteRegistration() {
  const admin = useAdminKey()
  const client = useQueryClient()
  const remove = useDeleteEntry('course_waitlist')
  return (id: string) =>
    remove.mutate(id, {
      onSettled: () => void readAnew(client, [...admin, 'pages', 'course_waitlist'], keys.table('workshops')),
    })
}
