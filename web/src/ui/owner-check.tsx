import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { mailCode, showOwner, wantsOwner } from '@/lib/auth-again'
import { authCode, explain, secret } from '@/lib/auth-call'
import { useSession } from '@/lib/session'
import { Button } from './button'
import { CodeField } from './code-field'
import { Dialog } from './dialog'
import { Field } from './field'
import { PasswordInput } from './password-input'

type Way = 'password' | 'letter' | 'code'

/** Asks once more who is here: whoever finds an open browser has neither the password nor the letter. */
export function OwnerCheck({ onShown }: { onShown: () => void }) {
  const user = useSession().session?.user
  const hasPassword = user?.identities?.some(({ provider }) => provider === 'email') ?? true
  const [way, setWay] = useState<Way>(hasPassword ? 'password' : 'letter')
  const [missing, setMissing] = useState('')
  const show = useMutation({
    ...secret,
    onMutate: () => send.reset(),
    mutationFn: (proof: string) => showOwner(way === 'code' ? { nonce: proof } : { current_password: proof }),
    onSuccess: onShown,
  })
  const send = useMutation({
    ...secret,
    // What was said about the last try must not hide what is said about this one.
    onMutate: () => {
      setMissing('')
      show.reset()
    },
    mutationFn: mailCode,
    onSuccess: () => setWay('code'),
  })
  const input = useRef<HTMLInputElement>(null)
  const error = missing || (show.isError ? refusalOf(show.error) : '') || (send.isError ? refusalOf(send.error) : '')
  // It appears because it is wanted, and again when what was typed is refused.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each way and each refusal brings the reader back here
  useEffect(() => input.current?.focus(), [way, error])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (way === 'letter') return send.mutate()
    const proof = String(new FormData(event.currentTarget).get('proof'))
    setMissing(proof.trim() ? '' : way === 'code' ? 'Enter the code from the email' : 'Enter your password')
    if (proof.trim()) show.mutate(way === 'code' ? proof.replace(/\D/g, '') : proof)
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5">
      <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      {way === 'code' ? (
        <CodeField
          first
          label="Code from your email"
          hint={`We sent a 6-digit code to ${user?.email}.`}
          error={error}
          name="proof"
        />
      ) : way === 'password' ? (
        <Field label="Password" hint="It’s been a while since you signed in, so please confirm it’s you." error={error}>
          {(wiring) => <PasswordInput {...wiring} ref={input} name="proof" autoComplete="current-password" />}
        </Field>
      ) : (
        <p role="status" className="text-muted">
          {error || 'It’s been a while since you signed in, so we’ll email you a code to confirm it’s you.'}
        </p>
      )}
      <Button type="submit" look="accent" size="large" disabled={show.isPending || send.isPending}>
        {way === 'letter' ? 'Email me a code' : 'Continue'}
      </Button>
      {way !== 'letter' && (
        <button
          type="button"
          disabled={send.isPending}
          onClick={() => send.mutate()}
          className="min-h-11 justify-self-start text-meta font-medium underline underline-offset-4"
        >
          {way === 'code' ? 'Send a new code' : 'Email me a code instead'}
        </button>
      )}
    </form>
  )
}

/**
 * For what the server does only for somebody who has just shown who they are: `orAfter` goes with a mutation that may be
 * refused for that, and `ask` is the dialog, after which it is done again.
 */
export function useOwnerFirst(description: string) {
  const [waiting, setWaiting] = useState<(() => void) | null>(null)
  const orAfter = (repeat: () => void) => ({
    onError: (error: unknown) => wantsOwner(error) && setWaiting(() => repeat),
  })
  const ask = (
    <Dialog
      open={waiting !== null}
      onOpenChange={(open) => !open && setWaiting(null)}
      title="Confirm it’s you"
      description={description}
    >
      <OwnerCheck
        onShown={() => {
          setWaiting(null)
          waiting?.()
        }}
      />
    </Dialog>
  )
  return { orAfter, ask }
}

const refusals: Record<string, string> = {
  current_password_invalid: 'That is not your password.',
  reauthentication_not_valid: 'That code is wrong or has expired. Check the latest email.',
}

const refusalOf = (error: unknown) => refusals[authCode(error)] || explain(error)
