import { clsx } from 'clsx'

/** A turning ring for a wait that has no shape; `label` says for what. */
export function Spinner({ label, className }: { label: string; className?: string }) {
  return (
    <div role="status" className={clsx('late flex items-center justify-center py-24', className)}>
      <svg aria-hidden="true" viewBox="0 0 24 24" className="size-7 animate-spin text-muted">
        <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="2" opacity=".25" />
        <path d="M21 12a9 9 0 0 0-9-9" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      <span className="sr-only">{label}</span>
    </div>
  )
}
