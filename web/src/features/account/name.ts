import type { Session } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { advice, isSessionGone, serverMessage } from '@/lib/auth-call'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'

/** The name of an account as the server reads it; '' where there is none. */
export function nameOf({ user }: Session): string {
  const { name, full_name: fullName } = user.user_metadata
  return [name, fullName].find((text): text is string => typeof text === 'string' && text.trim() !== '')?.trim() ?? ''
}

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
