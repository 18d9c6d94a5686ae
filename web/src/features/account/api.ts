import { useMutation } from '@tanstack/react-query'
import { mailCode, noCode, wantsOwner } from '@/lib/auth-again'
import { advice, authCode, isSessionGone, passwordRefusal, secret, serverMessage, setPassword } from '@/lib/auth-call'
import { auth } from '@/lib/session'
import { toast } from '@/ui/toast'

/** Signs out here; this device forgets the session even when the server cannot be told. */
export function useLogOut(onDone: () => void) {
  return useMutation({
    networkMode: 'always',
    mutationFn: async () => (await auth()).signOut({ scope: 'local' }),
    onSuccess: () => {
      toast.success('Logged out successfully')
      onDone()
    },
    onError: () => toast.error('An error occurred', advice(undefined)),
  })
}

export type Change = { password: string; code: string }

export const needsCode = wantsOwner

export const isWrongCode = (error: unknown) => authCode(error) === 'reauthentication_not_valid'

export function useChangePassword() {
  return useMutation({
    ...secret,
    mutationFn: ({ password, code }: Change) => setPassword(password, code),
    onSuccess: () => toast.success('Password updated successfully'),
    onError: (error) => {
      if (passwordRefusal(error) || needsCode(error) || isWrongCode(error)) return
      if (isSessionGone(error)) return toast.error('Your session has ended. Please sign in again.')
      toast.error(serverMessage(error) || 'An error occurred', advice(error))
    },
  })
}

/** Mails the code that a change asks for when the sign-in was long ago. */
export function useSendCode() {
  return useMutation({
    ...secret,
    mutationFn: mailCode,
    onError: (error) => toast.error(...noCode(error)),
  })
}
