import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { passwordRefusal } from '@/lib/auth-call'
import { type NewPassword, newPassword } from '@/lib/password'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/code-field'
import { NewPasswordFields } from '@/ui/new-password-fields'
import { isWrongCode, needsCode, useChangePassword, useSendCode } from './api'

export function ChangePasswordForm({ email }: { email: string }) {
  const form = useForm<NewPassword>({
    resolver: zodResolver(newPassword),
    defaultValues: { password: '', confirm: '' },
  })
  const { isSubmitting } = form.formState
  const change = useChangePassword()
  const sendCode = useSendCode()
  // The code is asked for only when the server wants one.
  const [code, setCode] = useState<{ text: string; error: string } | null>(null)

  const onRefusal = async (error: unknown) => {
    const text = passwordRefusal(error)
    if (text) form.setError('password', { message: text }, { shouldFocus: true })
    else if (isWrongCode(error))
      setCode((now) => now && { ...now, error: 'That code is wrong or has expired. Check the latest email.' })
    else if (needsCode(error)) {
      await sendCode.mutateAsync()
      setCode({ text: '', error: '' })
    }
  }

  const submit = form.handleSubmit(async ({ password }) => {
    if (code && code.text.trim() === '') return setCode({ text: '', error: 'Enter the code from the email' })
    await change.mutateAsync({ password, code: code?.text.trim() ?? '' }).then(
      () => {
        form.reset()
        setCode(null)
      },
      (error) => onRefusal(error).catch(() => undefined),
    )
  })

  return (
    <form noValidate method="post" onSubmit={submit} className="grid max-w-md gap-5">
      <NewPasswordFields form={form} email={email} />
      {code && (
        <div className="rounded-card border border-hairline bg-surface-2 p-5">
          <CodeField
            first
            label="Code from your email"
            hint={`It’s been a while since you signed in, so we sent a 6-digit code to ${email}.`}
            value={code.text}
            error={code.error}
            onChange={({ target }) => setCode({ text: target.value, error: '' })}
          />
          <button
            type="button"
            onClick={() => sendCode.mutate()}
            className="mt-1 min-h-11 text-meta font-medium underline underline-offset-4"
          >
            Send a new code
          </button>
        </div>
      )}
      <Button type="submit" look="accent" size="large" disabled={isSubmitting} className="mt-1 sm:justify-self-start">
        {isSubmitting ? 'Updating...' : 'Update Password'}
      </Button>
    </form>
  )
}
