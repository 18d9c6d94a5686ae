import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

export type Option = { name: string; value: string }

type ChoiceProps = {
  label: string
  /** What the button shows. */
  face: ReactNode
  options: readonly Option[]
  value: string
  onChoose: (value: string) => void
  isOn?: boolean
  onOpen?: (open: boolean) => void
}

/** A button with a menu of which one entry holds. It opens inside the player, where a full screen shows it. */
export function Choice({ label, face, options, value, onChoose, isOn = false, onOpen }: ChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const items = () => [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])]
  const show = (open: boolean, backToButton = false) => {
    setOpen(open)
    onOpen?.(open)
    if (backToButton) box.current?.querySelector('button')?.focus()
  }

  useEffect(() => {
    if (!isOpen) return
    const all = [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])]
    ;(all.find((item) => item.ariaChecked === 'true') ?? all[0])?.focus()
    const leave = ({ target }: Event) => {
      if (target instanceof Node && box.current?.contains(target)) return
      setOpen(false)
      onOpen?.(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isOpen, onOpen])

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const here = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: all.length - 1 }[event.key]
    if (event.key === 'Escape') show(false, true)
    else if (to === undefined) return
    else all.at(to % all.length)?.focus()
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div ref={box} className="player-choice">
      <button
        type="button"
        className="player-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-on={isOn || undefined}
        onClick={() => show(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        <div
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className="player-menu"
          data-many={options.length > 4 || undefined}
          onKeyDown={onKeyDown}
        >
          {options.map((option) => (
            <button
              key={option.value}
              type="button"
              role="menuitemradio"
              aria-checked={option.value === value}
              tabIndex={-1}
              onClick={() => {
                onChoose(option.value)
                show(false, true)
              }}
            >
              {option.name}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
