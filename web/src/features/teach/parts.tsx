import { clsx } from 'clsx'
import type { ReactNode, Ref } from 'react'
import { Drawing } from '@/ui/all-icons'

const tones = {
  quiet: 'bg-white/8 text-muted',
  gold: 'bg-gold/15 text-gold',
  success: 'bg-success/15 text-success',
  danger: 'bg-danger/15 text-danger',
}

/** A word about something. */
export function Badge({ tone = 'quiet', children }: { tone?: keyof typeof tones; children: ReactNode }) {
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

type SwitchProps = { label: string; isOn: boolean; disabled?: boolean; onChange: (isOn: boolean) => void }

/** On or off, at once; `label` is its name. */
export function Switch({ label, isOn, disabled = false, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onChange(!isOn)}
      className="press inline-flex h-11 w-13 shrink-0 items-center justify-center rounded-control aria-disabled:cursor-default aria-disabled:opacity-50"
    >
      <span
        className={clsx(
          'flex h-5.5 w-9.5 items-center rounded-full border p-0.5 transition-colors',
          isOn ? 'border-success bg-success' : 'border-control bg-surface-3',
        )}
      >
        <span
          className={clsx(
            'size-4 rounded-full transition-transform duration-150',
            isOn ? 'translate-x-4 bg-background' : 'bg-muted',
          )}
        />
      </span>
    </button>
  )
}

const bar =
  'h-1.5 w-0 min-w-0 flex-1 appearance-none overflow-hidden rounded-full border-0 bg-surface-3 [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-surface-3 [&::-webkit-progress-value]:bg-accent'

/** How far something is, from 0 to 100. */
export function Bar({ label, percent }: { label: string; percent: number }) {
  return <progress aria-label={label} max={100} value={percent} className={bar} />
}

const drawings = {
  up: <path d="m6 14.5 6-6 6 6" />,
  down: <path d="m6 9.5 6 6 6-6" />,
  grip: <path d="M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01" strokeWidth="2.5" />,
  more: <path d="M12 6v.01M12 12v.01M12 18v.01" strokeWidth="2.5" />,
  pen: <path d="m5 19 .8-3.6L16.2 5a1.9 1.9 0 0 1 2.8 2.8L8.6 18.2 5 19Zm9.5-12.3 2.8 2.8" />,
  text: <path d="M5 6.5h14M5 11h14M5 15.5h9" />,
  film: (
    <path d="M10 9.2v5.6l4.6-2.8L10 9.2ZM5 5h14a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 19 19H5a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 5 5Z" />
  ),
  quiz: (
    <path d="M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM9.6 9.7a2.4 2.4 0 1 1 3.5 2.2c-.8.4-1.1.9-1.1 1.8M12 16.6v.01" />
  ),
  clip: (
    <path d="m19 11.5-7.2 7.2a4.4 4.4 0 0 1-6.2-6.2l7.6-7.6a2.9 2.9 0 0 1 4.1 4.1l-7.5 7.5a1.4 1.4 0 0 1-2-2l6.8-6.8" />
  ),
} satisfies Record<string, ReactNode>

/** A drawing that only the studio shows. */
export function Mark({ name, className }: { name: keyof typeof drawings; className?: string }) {
  return <Drawing className={className}>{drawings[name]}</Drawing>
}

type PartProps = {
  title: string
  lead?: ReactNode
  action?: ReactNode
  children: ReactNode
  ref?: Ref<HTMLElement>
}

/** A part of a screen, under its heading, which takes the focus when what had it is gone. */
export function Part({ title, lead, action, children, ref }: PartProps) {
  return (
    <section ref={ref} aria-label={title} className="rounded-card border border-hairline bg-surface-1 p-4 sm:p-6">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 tabIndex={-1} className="text-lg leading-snug font-semibold">
            {title}
          </h2>
          {lead && <p className="mt-0.5 max-w-[72ch] text-meta text-pretty text-muted">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
