/** The mark: one light and what it falls on. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7">
        <path d="M16 4 27 26H5z" className="fill-accent/30" />
        <ellipse cx="16" cy="26" rx="11" ry="2.6" className="fill-accent" />
        <circle cx="16" cy="5.5" r="2.6" className="fill-[oklch(0.94_0.06_75)]" />
      </svg>
      <span className="font-serif text-[1.625rem] translate-y-[2px] leading-none tracking-tight">Greenroom</span>
    </span>
  )
}
