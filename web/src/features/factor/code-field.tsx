import { useEffect, useRef } from 'react'
import { Field, Input } from '@/ui/field'

type CodeFieldProps = {
  value: string
  error: string
  hint: string
  /** Whether it is the first thing to do where it appears. */
  first?: boolean
  onChange: (text: string) => void
}

/** Six digits out of an app; a refusal brings the reader back here with the wrong ones selected. */
export function CodeField({ value, error, hint, first = false, onChange }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (first) input.current?.focus()
  }, [first])
  useEffect(() => {
    if (!error) return
    input.current?.focus()
    input.current?.select()
  }, [error])
  return (
    <Field label="Code" hint={hint} error={error}>
      {(wiring) => (
        <Input
          {...wiring}
          ref={input}
          name="code"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          maxLength={12}
          required
          className="h-12 text-xl tabular-nums"
        />
      )}
    </Field>
  )
}
