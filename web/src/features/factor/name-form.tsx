import { useState } from 'react'
import { wantsOwner } from '@/lib/auth-again'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { OwnerCheck } from '@/ui/owner-check'
import { addingRefusal } from './factors'

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
  const choose = () => onName(name.trim() || suggestion)
  if (wantsOwner(error)) return <OwnerCheck onShown={choose} />
  return (
    <form
      noValidate
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        choose()
      }}
      className="grid gap-5"
    >
      <Field label="Name" hint={hint} error={error ? addingRefusal(error) : undefined}>
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
