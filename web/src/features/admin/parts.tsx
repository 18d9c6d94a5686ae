import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** What stands above a list: its filters, then what can be done with all of it. */
export function Toolbar({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      {children}
      {actions && <div className="flex flex-wrap gap-3 max-sm:flex-1 max-sm:*:flex-1 sm:ml-auto">{actions}</div>}
    </div>
  )
}

const tones = {
  quiet: 'bg-white/8 text-muted',
  gold: 'bg-gold/15 text-gold',
  info: 'bg-info/15 text-info',
  success: 'bg-success/15 text-success',
  danger: 'bg-danger/15 text-danger',
}

export type Tone = keyof typeof tones

/** A word about a row. */
export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 shrink-0 items-center rounded-full px-2.5 text-[0.8125rem] font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

type LineButtonProps = { isOpen: boolean; onClick: () => void; children: ReactNode; className?: string }

/** The line of a row as the button that opens it. */
export function LineButton({ isOpen, onClick, children, className }: LineButtonProps) {
  return (
    <button
      type="button"
      data-row=""
      aria-expanded={isOpen}
      onClick={onClick}
      className={clsx(
        'h-full min-w-0 flex-1 scroll-mt-10 content-center px-4 text-left focus-visible:outline-offset-[-2px]',
        className,
      )}
    >
      {children}
    </button>
  )
}

type CutProps = { children: string; className?: string /** Two lines on a phone. */; two?: boolean }

/** Text that somebody typed, cut to one line, in the direction of its own script. */
export function Cut({ children, className, two = false }: CutProps) {
  return (
    <bdi className={clsx(two ? 'line-clamp-2 md:line-clamp-1' : 'block truncate', className)} title={children}>
      {children}
    </bdi>
  )
}

type WhenProps = { at: string; className?: string; whole?: boolean }

/** A date in a line, with the moment as its title; or the whole moment. */
export function When({ at, className, whole = false }: WhenProps) {
  const date = new Date(at)
  const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
  return (
    <time dateTime={at} title={moment} className={clsx('whitespace-nowrap tabular-nums', className)}>
      {whole ? moment : localDay(date)}
    </time>
  )
}

const localDay = (date: Date) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(date)
