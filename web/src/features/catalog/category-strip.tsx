import { clsx } from 'clsx'
import type { KeyboardEvent } from 'react'
import { categories } from './api'

type CategoryStripProps = { value: string; onChange: (category: string) => void; panel: string }

/** How a category to choose looks. */
export const pill = (isChosen: boolean) =>
  clsx(
    'press inline-flex h-11 shrink-0 items-center rounded-full border px-4.5 text-[0.9375rem] font-medium whitespace-nowrap',
    isChosen
      ? 'border-transparent bg-foreground text-background'
      : 'border-hairline bg-surface-1 text-muted hover:bg-surface-2 hover:text-foreground',
  )

const tabs = ['', ...categories]

/** The strip that chooses which rows the panel shows; '' stands for all of them. */
export function CategoryStrip({ value, onChange, panel }: CategoryStripProps) {
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const here = tabs.indexOf(value)
    const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: -1 }[event.key]
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (next === undefined) return
    event.preventDefault()
    onChange(next)
    const target = event.currentTarget.children.item(tabs.indexOf(next)) as HTMLElement | null
    target?.focus()
    target?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }
  return (
    <div
      role="tablist"
      aria-label="Categories"
      onKeyDown={walk}
      className="flex gap-2 overflow-x-auto px-(--gutter) py-2 [scrollbar-width:none]"
    >
      {tabs.map((category) => (
        <button
          key={category}
          type="button"
          role="tab"
          id={tabOf(panel, category)}
          aria-selected={category === value}
          aria-controls={panel}
          tabIndex={category === value ? 0 : -1}
          onClick={() => onChange(category)}
          className={pill(category === value)}
        >
          {category === '' ? 'All' : category}
        </button>
      ))}
    </div>
  )
}

/** The name of the tab that rules a panel. */
export const tabOf = (panel: string, category: string) => `${panel}-${tabs.indexOf(category)}`
