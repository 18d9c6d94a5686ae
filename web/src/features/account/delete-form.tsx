import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { signInAgain } from '@/lib/auth-again'
import { authCode, explain, isSessionGone, secret } from '@/lib/auth-call'
import { call } from '@/lib/functions'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { auth, useReaderId } from '@/lib/session'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { Notice } from '@/ui/notice'
import { PasswordInput } from '@/ui/password-input'

const word = 'DELETE'

/** Deletes the account of who is here; this device forgets it. */
function useDeleteAccount(onGone: () => void) {
  return useMutation({
    ...secret,
    mutationFn: ({ password, keeps }: { password: string; keeps: boolean }) =>
      call('delete-account', { ...(password ? { password } : {}), ...(keeps ? { keep_posts: true } : {}) }),
    onSuccess: async () => {
      onGone()
      await (await auth()).signOut({ scope: 'local' })
    },
    onError: async (error) => {
      const client = await auth()
      if (authCode(error) === 'insufficient_aal') await client.refreshSession()
      if (isSessionGone(error)) await client.signOut({ scope: 'local' })
    },
  })
}

const anyEnrollment = (user: string): Read<{ id: string }> => ({
  table: 'enrollments',
  columns: { id: 'string' },
  where: [['user_id', 'eq', user]],
  limit: 1,
})

/** Who takes courses may have written there for others, which can stay without their name. */
function KeepPosts() {
  const user = useReaderId()
  const { data } = useQuery({ ...readQuery(anyEnrollment(user)), enabled: user !== '' })
  if (!data || data.rows.length === 0) return null
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" name="keeps" className="size-5 shrink-0" />
      Keep my reviews, questions, and answers, without my name
    </label>
  )
}

type DeleteFormProps = { email: string; onCancel: () => void; onGone: () => void }

/** The password and a typed word: nobody deletes an account by a slip, or from a browser left open. */
export function DeleteForm({ email, onCancel, onGone }: DeleteFormProps) {
  const remove = useDeleteAccount(onGone)
  const [isTyped, setTyped] = useState(true)
  const code = authCode(remove.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const filled = new FormData(form)
    const right = String(filled.get('confirmation')).trim().toUpperCase() === word
    setTyped(right)
    const toField = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
    if (!right) return toField('confirmation')
    const chosen = { password: String(filled.get('password') ?? ''), keeps: filled.has('keeps') }
    remove.mutate(chosen, { onError: () => toField('password') })
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5">
      {remove.isError && code !== 'current_password_invalid' && <Refusal error={remove.error} />}
      {/* A guest has no address, and nothing to show but the session. */}
      {email && (
        <>
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <Field
            label="Password"
            hint="No password? Sign in again first, then leave this empty."
            error={code === 'current_password_invalid' ? 'That is not your password.' : undefined}
          >
            {(wiring) => <PasswordInput {...wiring} name="password" autoComplete="current-password" />}
          </Field>
          <KeepPosts />
        </>
      )}
      <Field label={`Type ${word} to confirm`} error={isTyped ? undefined : `Type the word ${word}`}>
        {(wiring) => (
          <Input {...wiring} name="confirmation" autoComplete="off" autoCapitalize="characters" spellCheck={false} />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" look="danger" disabled={remove.isPending}>
          {remove.isPending ? 'Deleting...' : 'Delete my account'}
        </Button>
      </div>
    </form>
  )
}

function Refusal({ error }: { error: unknown }) {
  const navigate = useNavigate()
  if (authCode(error) !== 'reauthentication_needed') return <Notice tone="danger">{explain(error)}</Notice>
  return (
    <Notice tone="danger">
      It’s been a while since you signed in. Enter your password, or sign in again first.
      <button
        type="button"
        onClick={() => void signInAgain('/settings').then(() => navigate('/auth', { replace: true }))}
        className="mt-1 block min-h-11 font-medium underline underline-offset-4"
      >
        Sign in again
      </button>
    </Notice>
  )
}
