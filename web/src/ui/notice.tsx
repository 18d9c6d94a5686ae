import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Icon } from './all-icons'

type NoticeProps = { tone: 'info' | 'danger'; className?: string; children: ReactNode }

/** A message that stays until its cause is gone. */
export function Notice({ tone, className, children }: NoticeProps) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={clsx(
        'flex gap-3 rounded-control border border-hairline bg-surface-1 px-4 py-3 text-[0.9375rem] leading-snug',
        className,
      )}
    >
      <Icon name={tone === 'danger' ? 'info' : 'mail'} className={tone === 'danger' ? 'text-danger' : 'text-info'} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
