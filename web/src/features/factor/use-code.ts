import { type ChangeEvent, type FormEvent, useState } from 'react'
import { digitsOf, refusalOf, type useVerifyCode } from './api'

/** A code that is typed and sent: what stands in its field, what is wrong with it, and the form's handler. */
export function useCode(verify: ReturnType<typeof useVerifyCode>) {
  const [value, setValue] = useState('')
  const [missing, setMissing] = useState('')
  return {
    field: {
      label: 'Code',
      required: true,
      className: 'h-12 text-xl',
      value,
      error: missing || (verify.isError ? refusalOf(verify.error) : ''),
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        setValue(target.value)
        setMissing('')
      },
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (digitsOf(value).length !== 6) return setMissing('Enter the 6-digit code from your app.')
      verify.mutate(digitsOf(value))
    },
  }
}
