import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { Field, Input } from './field'

type CodeFieldProps = ComponentProps<'input'> & {
  label: string
  hint: ReactNode
  error?: string | undefined
  /** Whether it is the first thing to do where it appears. */
  first?: boolean
}

/**
 * Takes a code out of an email or an app; phones and password managers know what it is. One that is refused brings the
 * reader back here with the wrong one selected.
 */
export function CodeField({ label, hint, error, first = false, className, ...rest }: CodeFieldProps) {
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
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <Input
          {...wiring}
          ref={input}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          maxLength={12}
          className={clsx('tabular-nums', className)}
          {...rest}
        />
      )}
    </Field>
  )
}
