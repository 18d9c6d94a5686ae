import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

type TabsProps = {
  value: string
  onValueChange: (value: string) => void
  label: string
  tabs: readonly { value: string; label: ReactNode }[]
  children: ReactNode
}

/** Panels of which one shows; put a `TabPanel` for each tab inside. */
export function Tabs({ value, onValueChange, label, tabs, children }: TabsProps) {
  return (
    <Primitive.Root value={value} onValueChange={onValueChange}>
      <Primitive.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-hairline">
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-11 shrink-0 border-b-2 border-transparent px-4 text-[0.9375rem] font-medium text-muted transition-colors hover:text-foreground focus-visible:outline-offset-[-2px] data-[state=active]:border-accent data-[state=active]:text-foreground"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  )
}

export function TabPanel({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Primitive.Content value={value} className="pt-8">
      {children}
    </Primitive.Content>
  )
}
