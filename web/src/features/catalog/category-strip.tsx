import { clsx } from 'clsx'
import { categories, gelOf } from './api'

type CategoryStripProps = { value: string; onChange: (category: string) => void }

/** The strip that chooses which rows show; '' stands for all of them. */
export function CategoryStrip({ value, onChange }: CategoryStripProps) {
  return (
    <nav aria-label="Categories" className="flex gap-2 overflow-x-auto px-(--gutter) py-2 [scrollbar-width:none]">
      {['', ...categories].map((category) => (
        <button
          key={category}
          type="button"
          data-gel={gelOf(category)}
          aria-pressed={category === value}
          onClick={() => onChange(category)}
          className={clsx(
            'press h-11 shrink-0 rounded-full border px-4.5 text-[0.9375rem] font-medium',
            category === value
              ? 'border-transparent bg-foreground text-background'
              : 'border-hairline bg-surface-1 text-muted hover:bg-surface-2 hover:text-foreground',
          )}
        >
          {category === '' ? 'All' : category}
        </button>
      ))}
    </nav>
  )
}
