import { clsx } from 'clsx'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import { IconButton } from '@/ui/icon-button'
import { Mark } from './parts'

export type Choice = { label: string; isGrave?: boolean; onSelect: () => void }

type RowMenuProps = { label: string; choices: readonly Choice[]; id?: string }

/** What else can be done with a row. A choice comes after the menu has gone and its button has the focus again. */
export function RowMenu({ label, choices, id }: RowMenuProps) {
  const chosen = useRef<(() => void) | null>(null)
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton label={label} id={id} className="text-muted">
          <Mark name="more" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={16}
          onCloseAutoFocus={() => {
            if (chosen.current) setTimeout(chosen.current)
            chosen.current = null
          }}
          className="z-50 min-w-52 rounded-card border border-hairline bg-surface-2 p-1.5"
        >
          {choices.map(({ label, isGrave = false, onSelect }) => (
            <DropdownMenu.Item
              key={label}
              onSelect={() => {
                chosen.current = onSelect
              }}
              className={clsx(
                'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-[0.9375rem] outline-none select-none data-[highlighted]:bg-surface-3',
                isGrave && 'text-danger',
              )}
            >
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
