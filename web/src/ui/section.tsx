import { type ReactNode, useId, useRef } from 'react'

type SectionProps = { title: string; lead?: ReactNode; children: ReactNode }

/** A part of a page on a card, under its own heading and beside it on large screens. The heading can take the focus when what had it is gone. */
export function Section({ title, lead, children }: SectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-20 gap-y-6 rounded-sheet border border-hairline bg-surface-1 p-5 sm:p-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]"
    >
      <div>
        <h2 id={id} tabIndex={-1} className="text-row font-semibold">
          {title}
        </h2>
        {lead && <p className="mt-1 text-muted">{lead}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}

/** What leads back to the heading of the section around an element, when what had the focus is gone. */
export function useHeading() {
  const box = useRef<HTMLDivElement>(null)
  return { box, toHeading: () => box.current?.closest('section')?.querySelector('h2')?.focus() }
}
