import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useLater } from '@/lib/later'
import { rememberWanted } from '@/lib/memory'
import { useSession } from '@/lib/session'
import { useHydrated } from '@/startup/hydrated'
import { Icon } from '@/ui/icon'
import { IconButton } from '@/ui/icon-button'
import { Link } from '@/ui/link'
import { toast } from '@/ui/toast'
import { leadsTo, links } from './links'
import { Logo } from './logo'

const loadMenu = () => import('./mobile-menu').then((module) => module.MobileMenu)

/** Clear at the top of the page, on the page's ground below it. */
function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    const look = () => setScrolled(scrollY > 24)
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return scrolled
}

export function Navigation() {
  const scrolled = useScrolled()
  const { pathname } = useLocation()
  const [menu, setMenu] = useState(false)
  const [MobileMenu, bring] = useLater(loadMenu)
  const openMenu = async () => {
    if (await bring()) setMenu(true)
    else toast.error('This did not open. Please try again.')
  }
  return (
    <header
      className={clsx(
        'fixed inset-x-0 top-0 z-40 h-(--header) transition-colors duration-300',
        scrolled ? 'frost bg-veil' : 'scrim-top',
      )}
    >
      <nav aria-label="Main" className="flex h-full items-center gap-2 px-(--gutter)">
        <Link to="/" aria-label="Greenroom, home" className="mr-5 shrink-0 py-2">
          <Logo />
        </Link>
        <ul className="hidden items-center lg:flex">
          {links.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={leadsTo(to, pathname)}
                className="inline-flex h-11 items-center px-3 text-[0.9375rem] text-muted transition-colors hover:text-foreground aria-[current]:font-medium aria-[current]:text-foreground"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
        <div className="ml-auto flex items-center gap-1">
          <SignIn />
          <SearchForm />
          <Link
            to="/search"
            aria-label="Search"
            className="press inline-flex size-11 items-center justify-center rounded-full hover:bg-glass-2 md:hidden"
          >
            <Icon name="search" className="size-6" />
          </Link>
          {/* A full page load, so that the account is read afresh. */}
          <a
            href="/account"
            aria-label="Account"
            className="press hidden size-11 items-center justify-center rounded-full hover:bg-glass-2 lg:inline-flex"
          >
            <Person />
          </a>
          <IconButton label="Menu" className="-mr-2.5 lg:hidden" onClick={() => void openMenu()}>
            <Icon name="menu" className="size-6" />
          </IconButton>
        </div>
      </nav>
      {MobileMenu && <MobileMenu open={menu} onOpenChange={setMenu} />}
    </header>
  )
}

/** For a stranger, and for whoever the server drew the page for; its room stays when it goes. */
function SignIn() {
  const { status } = useSession()
  const isKnownStranger = status === 'anonymous'
  const isShown = !useHydrated() || isKnownStranger
  const { pathname, search } = useLocation()
  return (
    <Link
      to="/auth"
      onClick={() => isKnownStranger && !pathname.startsWith('/auth') && rememberWanted(pathname + search)}
      className={clsx(
        'hidden h-11 items-center px-3 text-[0.9375rem] font-medium text-soft transition-colors hover:text-foreground lg:inline-flex',
        !isShown && 'invisible',
      )}
    >
      Sign in
    </Link>
  )
}

/** Whose account it is: their initial, or anybody's outline. */
function Person() {
  const { session } = useSession()
  const initial = [...(session?.user.email ?? '')][0]
  if (!initial) return <Icon name="user" className="size-6" />
  // No text of the button: its name is its label, which would have to contain it.
  return (
    <span
      data-initial={initial}
      className="flex size-8 items-center justify-center rounded-full bg-accent text-meta font-semibold text-on-accent uppercase after:content-[attr(data-initial)]"
    />
  )
}

function SearchForm() {
  const navigate = useNavigate()
  // The field keeps its own text: it may be typed, and even sent, before the app is there.
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <form
      role="search"
      action="/search"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const wanted = String(new FormData(form).get('q')).trim()
        if (wanted === '') return
        form.reset()
        void navigate(`/search?q=${encodeURIComponent(wanted)}`)
      }}
      className="relative hidden md:block"
    >
      <Icon
        name="search"
        className="pointer-events-none absolute top-1/2 left-3.5 size-4.5 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        name="q"
        aria-label="Search courses"
        placeholder="Search courses..."
        autoComplete="off"
        className="h-11 w-56 rounded-full border border-glass-2 bg-glass-1 pr-4 pl-10.5 text-[0.9375rem] transition-[width,background-color] duration-300 ease-out placeholder:text-muted hover:bg-glass-2 focus:w-72 [&::-webkit-search-cancel-button]:hidden"
      />
    </form>
  )
}
