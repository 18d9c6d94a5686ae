import type { ReactNode } from 'react'

/** The heading of a page, with room for a line under it. */
export function PageTitle({ children, lead }: { children: ReactNode; lead?: ReactNode }) {
  return (
    <header className="mb-10">
      <h1 className="font-serif text-title tracking-tight text-balance">{children}</h1>
      {lead && <p className="mt-3 max-w-[65ch] text-muted">{lead}</p>}
    </header>
  )
}
