import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'

const control =
  'w-full rounded-control border border-control bg-surface-2 px-3.5 text-base text-foreground placeholder:text-muted transition-colors hover:border-muted focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60'

type Wiring = { id: string; 'aria-invalid': boolean | undefined; 'aria-describedby': string | undefined }

type FieldProps = {
  label: string
  error?: string | undefined
  hint?: ReactNode
  optional?: boolean
  className?: string
  /** The control, given the attributes that tie it to its label, hint and error. */
  children: (wiring: Wiring) => ReactNode
}

/** A labelled control with its hint and its error. */
export function Field({ label, error, hint, optional = false, className, children }: FieldProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={clsx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="text-meta font-medium">
        {label}
        {optional && <span className="font-normal text-faint"> (optional)</span>}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-meta wrap-anywhere text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-meta text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={clsx(control, 'h-11', className)} {...rest} />
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={clsx(control, 'min-h-32 resize-y py-2.5', className)} {...rest} />
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select className={clsx(control, 'h-11', className)} {...rest} />
}
