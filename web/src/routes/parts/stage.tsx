/** The lit stage behind the workshop. */
export function Stage() {
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <div className="absolute inset-0 bg-[radial-gradient(60%_90%_at_72%_0%,oklch(0.74_0.17_52/0.28),transparent_70%)]" />
      <div className="absolute inset-x-0 bottom-0 h-2/3 bg-linear-to-t from-background to-transparent" />
    </div>
  )
}
