const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago a moment was, in the largest unit that fits: 'just now', '3 hours ago', 'yesterday'. */
export function ago(iso: string, now: number, locale?: string): string {
  const passed = now - Date.parse(iso)
  for (const [unit, length] of steps)
    if (passed >= length)
      return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(passed / length), unit)
  return 'just now'
}

/** A date as the reader's locale writes it. */
export function localDate(iso: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(iso))
}
