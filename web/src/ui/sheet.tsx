import './panel.css'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { UNSAFE_NavigationContext } from 'react-router'
import type { HeldNavigator } from '@/lib/page'
import { Icon } from './all-icons'
import { returnFocus } from './return-focus'

type SheetProps = { open: boolean; onOpenChange: (open: boolean) => void; title: string; children: ReactNode }

/** Back closes what is open before it leaves the page: the step is taken back, and the panel goes. */
function useBackCloses(open: boolean, close: () => void) {
  const navigator: HeldNavigator = useContext(UNSAFE_NavigationContext).navigator
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    // Who asks before anything is lost asks about this as well.
    if (!open || navigator.held) return
    let isReturning = false
    const hold: HeldNavigator['held'] = (steps) => {
      if (isReturning) navigator.held = undefined
      else {
        history.go(-(steps ?? 0))
        latest.current()
      }
      isReturning = !isReturning
      return true
    }
    navigator.held = hold
    return () => {
      // The step that is being taken back is still to come.
      if (navigator.held === hold && !isReturning) navigator.held = undefined
    }
  }, [open, navigator])
}

/** A panel that comes in from the right edge. */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  useBackCloses(open, () => onOpenChange(false))
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
