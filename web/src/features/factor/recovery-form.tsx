import { useEffect, useRef, useState } from 'react'
import type { SecondStepProps } from '@/lib/auth-level'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { lettersOf, recoverRefusal, useRecover } from './codes'

const length = 16

/** Takes a recovery code as people write and type it: in blocks or not, large or small. */
export function RecoveryForm({ action, reason = '', onPassed }: Omit<SecondStepProps, 'session'>) {
  const recover = useRecover(onPassed)
  const [missing, setMissing] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const error = missing || (recover.isError ? recoverRefusal(recover.error) : '')
  // It appears because it is wanted, and again when what was typed is refused.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal brings the reader back here
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [error])
  return (
    <form
      noValidate
      method="post"
      aria-label="Two-step verification"
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const code = lettersOf(String(new FormData(event.currentTarget).get('code')))
        setMissing(code.length === length ? '' : `Enter one of your recovery codes: ${length} letters and digits.`)
        if (code.length === length) recover.mutate(code)
      }}
    >
      <Field
        label="Recovery code"
        hint={`One of the ten you saved. Each works once. ${reason}`.trim()}
        error={error || undefined}
      >
        {(wiring) => (
          <Input
            {...wiring}
            ref={input}
            name="code"
            required
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={40}
            placeholder="xxxx-xxxx-xxxx-xxxx"
            className="h-12 font-mono"
            onChange={() => setMissing('')}
          />
        )}
      </Field>
      <Button type="submit" look="accent" size="large" disabled={recover.isPending}>
        {recover.isPending ? 'Verifying...' : action}
      </Button>
    </form>
  )
}
