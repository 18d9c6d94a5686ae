import { useMutation } from '@tanstack/react-query'
import { rest, settled } from '@/lib/backend'
import { toast } from '@/ui/toast'
import { reason } from './course-api'
import { usePatchRows } from './pages'

/** Removes an entry of a list for good. */
export function useDeleteEntry(table: 'course_waitlist' | 'course_recommendations') {
  const patch = usePatchRows<{ id: string }>(table)
  return useMutation({
    mutationFn: async (id: string) => {
      settled(await (await rest()).from(table).delete().eq('id', id))
    },
    onSuccess: (_, id) => {
      patch((rows) => rows.filter((row) => row.id !== id))
      toast.success('Entry deleted successfully')
    },
    onError: (error) => toast.error(reason(error, 'Failed to delete entry')),
  })
}
