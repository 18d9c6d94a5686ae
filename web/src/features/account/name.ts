import { useMutation } from '@tanstack/react-query'
import { advice, isSessionGone, serverMessage } from '@/lib/auth-call'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'

export function useChangeName() {
  return useMutation({
    mutationFn: async (name: string) => {
      const { error } = await (await auth()).updateUser({ data: { name } })
      if (error) throw error
    },
    onSuccess: () => toast.success('Name saved'),
    onError: (error) => {
      if (isSessionGone(error)) return toast.error('Your session has ended. Please sign in again.')
      toast.error(serverMessage(error) || 'An error occurred', advice(error))
    },
  })
}
