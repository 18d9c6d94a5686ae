import { clsx } from 'clsx'
import type { ReactNode } from 'react'

// Drawn on a 24 px grid with a 1.75 px line. These come with every page; the rest stand in all-icons.tsx.
export const drawings = {
  search: <path d="M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm9.5 2.5-4.4-4.4" />,
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  user: <path d="M12 12.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5" />,
  heart: (
    <path d="M12 20.3 4.7 13a4.9 4.9 0 0 1 0-6.9 4.8 4.8 0 0 1 6.8 0l.5.5.5-.5a4.8 4.8 0 0 1 6.8 0 4.9 4.9 0 0 1 0 6.9L12 20.3Z" />
  ),
  left: <path d="m14.5 5.5-6.5 6.5 6.5 6.5" />,
  right: <path d="m9.5 5.5 6.5 6.5-6.5 6.5" />,
  clock: <path d="M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Zm0-13V12l3 2" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  bell: <path d="M6.5 10a5.5 5.5 0 0 1 11 0c0 5 2 6.5 2 6.5h-15s2-1.5 2-6.5ZM10 19.5a2.2 2.2 0 0 0 4 0" />,
  info: <path d="M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Zm0-9.5v5m0-8.2v.1" />,
  calendar: (
    <path d="M5 6.5h14a1 1 0 0 1 1 1V19a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7.5a1 1 0 0 1 1-1ZM4 11h16M8.5 4v4m7-4v4" />
  ),
} satisfies Record<string, ReactNode>

type DrawingProps = { filled?: boolean; className?: string | undefined; children: ReactNode }

/** A line drawing that stands beside its words: hidden from readers of the page. */
export function Drawing({ filled = false, className, children }: DrawingProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={clsx('size-5 shrink-0', className)}
    >
      {children}
    </svg>
  )
}

export type IconProps<Name> = Omit<DrawingProps, 'children'> & { name: Name }

/** A drawing that the first page shows. */
export function Icon({ name, ...rest }: IconProps<keyof typeof drawings>) {
  return <Drawing {...rest}>{drawings[name]}</Drawing>
}

/** The star of a rating. */
export function Star({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="currentColor"
      className={clsx('size-4 shrink-0 text-gold', className)}
    >
      <path d="m12 2.8 2.8 5.9 6.4.8-4.7 4.5 1.2 6.4-5.7-3.1-5.7 3.1 1.2-6.4L2.8 9.5l6.4-.8L12 2.8Z" />
    </svg>
  )
}
