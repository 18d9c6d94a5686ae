import { useState } from 'react'
import { useNavigate } from 'react-router'
import { signInAgain } from '@/lib/auth-again'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { Notice } from '@/ui/notice'
import { needsFreshSession, objectionTo } from './factors'

/** A name that is still free: the second of a kind gets a number. */
export function freeName(name: string, taken: readonly string[]): string {
  for (let n = 1; ; n++) {
    const next = n === 1 ? name : `${name} ${n}`
    if (!taken.includes(next)) return next
  }
}

type NameFormProps = {
  suggestion: string
  hint: string
  busy: string
  isPending: boolean
  error: unknown
  onName: (name: string) => void
}

/** What the owner will know a second step by; the first thing to say of it. */
export function NameForm({ suggestion, hint, busy, isPending, error, onName }: NameFormProps) {
  const [name, setName] = useState(suggestion)
  if (needsFreshSession(error)) return <SignInAgain />
  return (
    <form
      noValidate
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        onName(name.trim() || suggestion)
      }}
      className="grid gap-5"
    >
      <Field label="Name" hint={hint} error={error ? objectionTo(error) : undefined}>
        {(wiring) => (
          <Input
            {...wiring}
            name="name"
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
            maxLength={100}
            required
          />
        )}
      </Field>
      <Button type="submit" look="accent" size="large" disabled={isPending}>
        {isPending ? busy : 'Continue'}
      </Button>
    </form>
  )
}

/** For who signed in long ago: whoever finds an open browser must not lock its owner out. */
function SignInAgain() {
  const navigate = useNavigate()
  return (
    <div className="grid gap-5">
      <Notice tone="danger">You signed in a while ago. Sign in again before you add a second step.</Notice>
      <Button
        look="accent"
        size="large"
        onClick={() => void signInAgain('/settings').then(() => navigate('/auth', { replace: true }))}
      >
        Sign in again
      </Button>
    </div>
  )
}
