import './panel.css'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon } from './all-icons'
import { growFromOpener } from './grow'
import { returnFocus } from './return-focus'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children: ReactNode
}

/** A panel over the page: in the middle on large screens, from below on phones. */
export function Dialog({ open, onOpenChange, title, description, children }: DialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="panel-veil" />
        <Primitive.Content
          ref={growFromOpener}
          {...returnFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className="panel-dialog"
        >
          <Primitive.Title className="pr-12 font-serif text-[2rem] leading-[1.08] tracking-tight text-balance">
            {title}
          </Primitive.Title>
          {description && <Primitive.Description className="mt-2 text-muted">{description}</Primitive.Description>}
          <div className="mt-6">{children}</div>
          <Primitive.Close
            aria-label="Close"
            className="press absolute top-4 right-4 inline-flex size-11 items-center justify-center rounded-full text-muted hover:bg-surface-2 hover:text-foreground"
          >
            <Icon name="close" />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
