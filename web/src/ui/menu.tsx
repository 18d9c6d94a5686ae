import { DropdownMenu as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

type MenuProps = { trigger: ReactNode; label: string; defaultOpen?: boolean; children: ReactNode }

/** A menu that opens from its trigger. */
export function Menu({ trigger, label, defaultOpen = false, children }: MenuProps) {
  return (
    <Primitive.Root defaultOpen={defaultOpen} modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align="start"
          sideOffset={8}
          collisionPadding={16}
          className="z-50 min-w-56 rounded-card border border-hairline bg-surface-2 p-1.5 data-[state=closed]:animate-[leave_120ms_both] data-[state=open]:animate-[rise_160ms_var(--ease-out)_both]"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

const item =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-[0.9375rem] outline-none select-none data-[highlighted]:bg-surface-3'

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Primitive.Item onSelect={onSelect} className={item}>
      {children}
    </Primitive.Item>
  )
}

/** An entry that opens another page in a new tab. */
export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Primitive.Item asChild className={item}>
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    </Primitive.Item>
  )
}

export function MenuSeparator() {
  return <Primitive.Separator className="mx-2 my-1.5 h-px bg-hairline" />
}
