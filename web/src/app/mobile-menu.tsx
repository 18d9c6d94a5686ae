import { Link } from '@/ui/link'
import { Sheet } from '@/ui/sheet'
import { links } from './links'

const entry = 'flex min-h-13 items-center border-b border-hairline font-serif text-2xl'

export function MobileMenu({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Menu">
      <nav aria-label="Menu" className="mt-4">
        <ul>
          {links.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} onClick={() => onOpenChange(false)} className={entry}>
                {label}
              </Link>
            </li>
          ))}
          <li>
            <a href="/account" className={entry}>
              Account
            </a>
          </li>
        </ul>
      </nav>
    </Sheet>
  )
}
