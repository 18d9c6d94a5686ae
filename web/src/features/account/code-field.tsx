import { useEffect, useRef } from 'react'
import { CodeInput, Field } from '@/ui/field'

type CodeFieldProps = {
  email: string
  value: string
  error: string
  onChange: (text: string) => void
  onSendAgain: () => void
}

/** The mailed code, for who signed in long ago. */
export function CodeField({ email, value, error, onChange, onSendAgain }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  // It appears because it is wanted, and again when what was typed is refused.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal brings the reader back here
  useEffect(() => input.current?.focus(), [error])
  return (
    <div className="rounded-card border border-hairline bg-surface-2 p-5">
      <Field
        label="Code from your email"
        error={error}
        hint={`You signed in a while ago, so we sent a 6-digit code to ${email}.`}
      >
        {(wiring) => (
          <CodeInput {...wiring} ref={input} value={value} onChange={(event) => onChange(event.target.value)} />
        )}
      </Field>
      <button
        type="button"
        onClick={onSendAgain}
        className="mt-1 min-h-11 text-meta font-medium underline underline-offset-4"
      >
        Send a new code
      </button>
    </div>
  )
}
