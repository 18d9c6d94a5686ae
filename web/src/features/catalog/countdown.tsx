import { countdown } from '@/lib/format'
import { pageLoadedAt, useNow } from '@/lib/now'

const week = 7 * 24 * 60 * 60_000

/** The time until a course opens: to its launch date, else to a week after the page was loaded. */
export function Countdown({ launchAt }: { launchAt: string | null }) {
  const now = useNow()
  const until = now === null ? null : (launchAt ? Date.parse(launchAt) : pageLoadedAt() + week) - now
  // The room stays the same before the clock is known, so nothing moves when it comes.
  return <span className="inline-block min-w-[5.1em] tabular-nums">{until === null ? '\u00a0' : countdown(until)}</span>
}
