import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { passwordRefusal } from '@/lib/auth-call'
import { type NewPassword, newPassword } from '@/lib/password'
import { Button } from '@/ui/button'
import { NewPasswordFields } from '@/ui/new-password-fields'
import { useResetPassword } from './api'

type ResetFormProps = { email: string; onChanging: (changing: boolean) => void; onDone: () => void }

export function ResetForm({ email, onChanging, onDone }: ResetFormProps) {
  const form = useForm<NewPassword>({
    mode: 'all',
    resolver: zodResolver(newPassword),
    defaultValues: { password: '', confirm: '' },
  })
  const { isSubmitting } = form.formState
  const reset = useResetPassword()
  const submit = form.handleSubmit(async ({ password }) => {
    onChanging(true)
    try {
      await reset.mutateAsync(password)
      onDone()
    } catch (error) {
      onChanging(false)
      const text = passwordRefusal(error)
      if (text) form.setError('password', { message: text }, { shouldFocus: true })
      else form.setFocus('password')
    }
  })
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5">
      <NewPasswordFields form={form} email={email} />
      <Button type="submit" look="accent" size="large" disabled={isSubmitting} className="mt-1">
        {isSubmitting ? 'Updating...' : 'Update Password'}
      </Button>
    </form>
  )
}
