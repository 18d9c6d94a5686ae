import { clsx } from 'clsx'

/** A grey shape where something is coming; it shows only after a moment of waiting. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx('shimmer rounded-control', className)} />
}
