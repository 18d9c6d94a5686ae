import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CodeInput, Field } from '@/ui/field'
import { digitsOf, refusalOf, type useVerifyCode } from './api'

/** A code that is typed and sent: what stands in its field, what is wrong with it, and the form's handler. */
export function useCode(verify: ReturnType<typeof useVerifyCode>) {
  const [value, setValue] = useState('')
  const [missing, setMissing] = useState('')
  return {
    field: {
      value,
      error: missing || (verify.isError ? refusalOf(verify.error) : ''),
      onChange: (text: string) => {
        setValue(text)
        setMissing('')
      },
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (digitsOf(value).length !== 6) return setMissing('Enter the 6 digits that your app shows.')
      verify.mutate(digitsOf(value))
    },
  }
}

type CodeFieldProps = ReturnType<typeof useCode>['field'] & {
  hint: string
  /** Whether it is the first thing to do where it appears. */
  first?: boolean
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
        <CodeInput
          {...wiring}
          ref={input}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          required
          className="h-12 text-xl"
        />
      )}
    </Field>
  )
}
