import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/code-field'
import { toast } from '@/ui/toast'
import { codeRefusal, useSendCode, useSignInByCode } from './api'
import { BackLink, Support } from './entrance-links'
import { Room } from './room'

/** Takes the code that was mailed to an address; its letter has a link, too. */
export function CodeEntry({ email, onBack }: { email: string; onBack: () => void }) {
  const signIn = useSignInByCode(email)
  const [missing, setMissing] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code')).replace(/\D/g, '')
    setMissing(code.length === 6 ? '' : 'Enter the 6-digit code from the email')
    if (code.length === 6) signIn.mutate(code)
  }
  return (
    <Room title="Check your email">
      <BackLink onBack={onBack} />
      <h1 className="font-serif text-title tracking-tight">Check your email</h1>
      <p className="mt-2 mb-8 text-muted">
        If <b className="font-medium wrap-anywhere text-foreground">{email}</b> has an account, we sent it a code. The
        link in the same email signs you in, too.
      </p>
      <form noValidate method="post" aria-label="Sign in with a code" onSubmit={submit} className="grid gap-5">
        <CodeField
          first
          label="Code from your email"
          hint="It works once and expires in ten minutes."
          required
          className="h-12 text-xl"
          error={missing || (signIn.isError ? codeRefusal(signIn.error) : undefined)}
          onChange={() => setMissing('')}
        />
        <Button type="submit" look="accent" size="large" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in...' : 'Sign In'}
        </Button>
        <Resend email={email} />
      </form>
      <Support />
    </Room>
  )
}

// The server writes to one address once a minute.
const pause = 60

function Resend({ email }: { email: string }) {
  const send = useSendCode()
  const [left, setLeft] = useState(pause)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  const again = () =>
    send.mutate(email, {
      onSuccess: () => {
        toast.success('A new code is on its way')
        setLeft(pause)
      },
    })
  return (
    <button
      type="button"
      disabled={left > 0 || send.isPending}
      onClick={again}
      className="min-h-11 justify-self-start text-meta font-medium underline underline-offset-4 disabled:text-muted disabled:no-underline"
    >
      {left > 0 ? (
        <span className="tabular-nums">{`Send a new code in ${left} ${left === 1 ? 'second' : 'seconds'}`}</span>
      ) : (
        'Send a new code'
      )}
    </button>
  )
}
