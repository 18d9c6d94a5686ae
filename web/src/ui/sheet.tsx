import './panel.css'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon } from './all-icons'
import { returnFocus } from './return-focus'

type SheetProps = { open: boolean; onOpenChange: (open: boolean) => void; title: string; children: ReactNode }

/** A panel that comes in from the right edge. */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="panel-veil" />
        <Primitive.Content {...returnFocus} aria-describedby={undefined} className="panel-sheet">
          <div className="flex items-center justify-between">
            <Primitive.Title className="kicker text-muted">{title}</Primitive.Title>
            <Primitive.Close
              aria-label="Close"
              className="press -mr-3 inline-flex size-11 items-center justify-center rounded-full text-muted hover:bg-surface-2 hover:text-foreground"
            >
              <Icon name="close" />
            </Primitive.Close>
          </div>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
