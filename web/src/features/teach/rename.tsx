import { useRef } from 'react'
import { Input } from '@/ui/field'

type RenameProps = { label: string; value: string; most: number; onDone: (title: string | null) => void }

/** A title while it is written: Enter or leaving keeps it, Escape does not. An empty one is no title. */
export function Rename({ label, value, most, onDone }: RenameProps) {
  const isDone = useRef(false)
  const done = (typed: string | null) => {
    if (isDone.current) return
    isDone.current = true
    const title = typed?.trim() ?? ''
    onDone(title === '' || title === value ? null : title)
  }
  return (
    <Input
      autoFocus
      aria-label={label}
      defaultValue={value}
      maxLength={most}
      autoComplete="off"
      dir="auto"
      onFocus={({ target }) => target.select()}
      onBlur={({ target }) => done(target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        done(event.key === 'Enter' ? event.currentTarget.value : null)
      }}
    />
  )
}
