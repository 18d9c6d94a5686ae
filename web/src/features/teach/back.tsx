import { Icon } from '@/ui/all-icons'
import { Link } from '@/ui/link'

/** The way to where a screen belongs. */
export function Back({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="-ml-1.5 inline-flex min-h-11 items-center gap-1 text-meta text-muted hover:text-foreground"
    >
      <Icon name="left" className="size-4.5" />
      {children}
    </Link>
  )
}
