import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { Input } from '@/ui/field'
import type { Lesson } from './outline'

type AddLineProps = {
  noun: 'section' | 'lesson'
  /** Where, for readers who do not see it. */
  where?: string
  most: number
  isFirst?: boolean
  /** Rejects where it was refused; what was typed then stays. */
  onAdd: (title: string, kind: Lesson['kind']) => Promise<unknown>
}

const kinds = [
  ['text', 'Text'],
  ['video', 'Video'],
  ['quiz', 'Quiz'],
] as const

/** A button that turns into a line for a title. After one is added it waits for the next; Escape ends it. */
export function AddLine({ noun, where, most, isFirst = false, onAdd }: AddLineProps) {
  const [isOpen, setOpen] = useState(false)
  const [kind, setKind] = useState<Lesson['kind']>('text')
  const [isAdding, setAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const title = box.current?.value.trim() ?? ''
    if (title === '' || isAdding) return box.current?.focus()
    setAdding(true)
    const isAdded = await onAdd(title, kind).then(
      () => true,
      () => false,
    )
    setAdding(false)
    if (isAdded && box.current) box.current.value = ''
    box.current?.focus()
  }
  const name = where ? `Add ${noun} to ${where}` : `Add ${noun}`
  if (!isOpen)
    return (
      <Button
        ref={button}
        look={isFirst ? 'accent' : noun === 'section' ? 'secondary' : 'ghost'}
        aria-label={name}
        onClick={() => setOpen(true)}
      >
        <Icon name="plus" />
        {`Add ${noun}`}
      </Button>
    )
  return (
    <form
      aria-label={name}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
      className="flex w-full flex-wrap items-center gap-2"
    >
      <Input
        ref={box}
        autoFocus
        aria-label={`Title of the ${noun}`}
        placeholder={noun === 'section' ? 'Section title' : 'Lesson title'}
        maxLength={most}
        autoComplete="off"
        dir="auto"
        className="min-w-0 flex-1 basis-56"
      />
      {noun === 'lesson' && (
        <fieldset className="flex h-11 rounded-control border border-control p-0.5">
          <legend className="sr-only">Kind of lesson</legend>
          {kinds.map(([value, label]) => (
            <label
              key={value}
              className="flex cursor-pointer items-center rounded-[6px] px-3 text-meta sm:px-3.5 font-medium text-muted has-checked:bg-surface-3 has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:outline-ring"
            >
              <input
                type="radio"
                name="kind"
                value={value}
                checked={kind === value}
                onChange={() => setKind(value)}
                className="sr-only"
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <Button type="submit" look="primary" aria-disabled={isAdding}>
        Add
      </Button>
      <Button look="ghost" onClick={() => setOpen(false)}>
        Done
      </Button>
    </form>
  )
}
