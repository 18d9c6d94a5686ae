import { clsx } from 'clsx'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { Input } from './field'
import { Drawing } from './icon'

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type'>

/** A password's field: what is typed can be shown, and Caps Lock is told. */
export function PasswordInput({ className, onKeyDown, onKeyUp, onBlur, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <div className="relative">
      <Input
        {...rest}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={clsx('pr-13', className)}
        onKeyDown={(event) => {
          look(event)
          onKeyDown?.(event)
        }}
        onKeyUp={(event) => {
          look(event)
          onKeyUp?.(event)
        }}
        onBlur={(event) => {
          setCapsLock(false)
          onBlur?.(event)
        }}
      />
      <button
        type="button"
        aria-label={shown ? 'Hide characters' : 'Show characters'}
        onClick={() => setShown(!shown)}
        className="press absolute top-0 right-0 inline-flex size-11 items-center justify-center rounded-control text-muted hover:text-foreground"
      >
        <Drawing>
          {shown ? (
            <path d="M4 4l16 16M9.9 5.7a9.6 9.6 0 0 1 2.1-.2c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.8M6.3 7.3A16.6 16.6 0 0 0 2.5 12S6 18.5 12 18.5a9.3 9.3 0 0 0 4-.9M10 10a2.8 2.8 0 0 0 4 4" />
          ) : (
            <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm9.5 2.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z" />
          )}
        </Drawing>
      </button>
      <p role="status" className={clsx('text-meta text-gold', capsLock && 'mt-1.5')}>
        {capsLock && 'Caps Lock is on'}
      </p>
    </div>
  )
}
