import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useLocation } from 'react-router'
import { anyEnrollment } from '@/features/learn/api'
import { readQuery } from '@/lib/query'
import { useReaderId, useSession } from '@/lib/session'
import { useSignIn } from '@/lib/sign-in'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'
import { Sheet } from '@/ui/sheet'
import { leadsTo, links } from './links'

const entry = 'flex min-h-13 items-center border-b border-hairline font-serif text-2xl'

export function MobileMenu({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { session } = useSession()
  const signIn = useSignIn()
  const { pathname } = useLocation()
  const user = useReaderId()
  const { data } = useQuery({ ...readQuery(anyEnrollment(user)), enabled: open && user !== '' })
  const takesCourses = user !== '' && (data?.rows.length ?? 0) > 0
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Menu">
      <nav aria-label="Menu" className="mt-4">
        <ul>
          {links.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={leadsTo(to, pathname)}
                onClick={() => onOpenChange(false)}
                className={clsx(entry, leadsTo(to, pathname) && 'text-accent')}
              >
                {label}
              </Link>
            </li>
          ))}
          {takesCourses && (
            <li>
              <Link
                to="/learn"
                aria-current={leadsTo('/learn', pathname)}
                onClick={() => onOpenChange(false)}
                className={clsx(entry, leadsTo('/learn', pathname) && 'text-accent')}
              >
                My Learning
              </Link>
            </li>
          )}
          <li>
            <a href="/account" className={entry}>
              Account
            </a>
          </li>
        </ul>
      </nav>
      {session && !session.user.is_anonymous ? (
        <p className="mt-6 text-meta text-muted wrap-anywhere">
          Signed in as <span className="text-soft">{session.user.email}</span>
        </p>
      ) : (
        <Button asChild look="accent" size="large" className="mt-8">
          <Link
            to="/auth"
            onClick={(event) => {
              event.preventDefault()
              onOpenChange(false)
              signIn()
            }}
          >
            Sign in
          </Link>
        </Button>
      )}
    </Sheet>
  )
}
