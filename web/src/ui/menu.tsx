import { DropdownMenu as Primitive } from 'radix-ui'
import { Fragment, type ReactNode, useState } from 'react'

/** An entry does something here, or opens another page in a new tab. */
export type MenuEntry = { label: string; icon?: ReactNode } & ({ href: string } | { onSelect: () => void })

type MenuProps = {
  trigger: ReactNode
  label: string
  groups: readonly (readonly MenuEntry[])[]
  /** What the menu was wanted by before it was loaded: a key leads to its first entry. */
  openedBy: 'key' | 'pointer'
}

const item =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-[0.9375rem] outline-none select-none data-[highlighted]:bg-surface-3'

/** Before the menu's own turn, which leaves a focus alone that is inside already. */
const focusFirst = (content: HTMLElement | null) =>
  content?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })

/** A menu that is loaded when it is wanted, and so opens at once; from then on its trigger opens it. */
export function Menu({ trigger, label, groups, openedBy }: MenuProps) {
  const [isFirst, setFirst] = useState(true)
  return (
    <Primitive.Root defaultOpen onOpenChange={() => setFirst(false)} modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          ref={isFirst && openedBy === 'key' ? focusFirst : undefined}
          aria-label={label}
          align="start"
          sideOffset={8}
          collisionPadding={16}
          className="z-50 min-w-72 rounded-card border border-hairline bg-surface-2 p-1.5 data-[state=closed]:animate-[leave_120ms_both] data-[state=open]:animate-[rise_160ms_var(--ease-out)_both]"
        >
          {groups.map((entries, index) => (
            <Fragment key={entries[0]?.label}>
              {index > 0 && <Primitive.Separator className="mx-2 my-1.5 h-px bg-hairline" />}
              {/* In two columns it stays low enough to open below its button, where it covers no heading. */}
              <Primitive.Group className={entries.length > 3 ? 'grid grid-cols-2' : undefined}>
                {entries.map((entry) => (
                  <Entry key={entry.label} entry={entry} />
                ))}
              </Primitive.Group>
            </Fragment>
          ))}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const inside = (
    <>
      {entry.icon}
      {entry.label}
    </>
  )
  if ('onSelect' in entry)
    return (
      <Primitive.Item onSelect={entry.onSelect} className={item}>
        {inside}
      </Primitive.Item>
    )
  return (
    <Primitive.Item asChild className={item}>
      <a href={entry.href} target="_blank" rel="noopener noreferrer">
        {inside}
      </a>
    </Primitive.Item>
  )
}
