import type { ReactNode } from 'react'

/** One line, one sentence, one action, and perhaps something to go on with. */
export function EmptyState({ title, hint, action, children }: EmptyStateProps) {
  return (
    <div className="py-10">
      <div className="flex flex-col items-start gap-3">
        <p className="font-serif text-3xl leading-tight">{title}</p>
        {hint && <p className="max-w-[52ch] text-muted">{hint}</p>}
        {action && <div className="mt-3">{action}</div>}
      </div>
      {children && <div className="mt-14">{children}</div>}
    </div>
  )
}

type EmptyStateProps = { title: string; hint?: string; action?: ReactNode; children?: ReactNode }
