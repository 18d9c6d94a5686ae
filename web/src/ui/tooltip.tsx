import { Tooltip as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

/** Around everything that has tooltips: they open after 700 ms, the next one at once within 300 ms. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Primitive.Provider>
  )
}

export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-w-64 rounded-control bg-surface-3 px-3 py-1.5 text-meta data-[state=delayed-open]:animate-[fade_160ms_both]"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
