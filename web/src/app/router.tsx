import { type ReactNode, Suspense, startTransition, use, useLayoutEffect, useMemo, useRef, useState } from 'react'
import {
  type UNSAFE_createBrowserHistory as createBrowserHistory,
  type Location,
  matchPath,
  type NavigationType,
  Router,
  useLocation,
} from 'react-router'
import { Head } from '@/lib/head'
import type { HeldNavigator, Params } from '@/lib/page'
import { drawWhole, waitFor } from '@/startup/in-turn'
import { Spinner } from '@/ui/spinner'
import { ErrorBoundary } from './error-boundary'
import type { Pages } from './pages'
import type { Arrive } from './passage'
import { useRouteChange } from './route-change'
import { table } from './table'

type Matched = { page: string; params: Params }

/** The page at an address, with the parameters in it. */
export function match(pathname: string): Matched {
  for (const [path, page = path.slice(1)] of table) {
    const found = matchPath(path, pathname)
    if (found) return { page, params: found.params }
  }
  throw new Error('the last entry matches everything')
}

function RouteView({ page, params, pages }: Matched & { pages: Pages }) {
  const { Page, head } = pages.peek(page) ?? use(pages.await(page))
  return (
    <>
      <Head {...head} />
      <Page params={params} />
    </>
  )
}

/** What lets a picture travel from one page to the next, unless the reader wants nothing to move. */
export const loadPassage = () =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? undefined : import('./passage').catch(() => undefined)

type Place = { location: Location; navigationType: NavigationType; arrive?: Arrive | undefined }
type History = ReturnType<typeof createBrowserHistory>

let wait: ReturnType<typeof setTimeout> | undefined

/** Says that the next page is on its way, once that takes long enough to wonder about: styles/base.css draws a line. */
function sayUnderWay(isUnderWay: boolean) {
  clearTimeout(wait)
  const main = document.getElementById('content')
  if (isUnderWay) wait = setTimeout(() => main?.setAttribute('aria-busy', 'true'), 150)
  else main?.removeAttribute('aria-busy')
}

/**
 * The router of the browser. It tells of another page's address once that page is there: until then everything stays as
 * it is, with the old address, and nothing is drawn again. The page itself is drawn in short turns, between which a press
 * is answered. While the wanted page is not the one that shows, a step is under way: another press changes where it leads.
 */
export function PatientRouter({ history, pages, children }: { history: History; pages: Pages; children: ReactNode }) {
  const [place, setPlace] = useState<Place>({ location: history.location, navigationType: history.action })
  const shown = useRef(place.location)
  const wanted = useRef(place.location)
  const step = useRef(place.navigationType)
  const navigator = useMemo<HeldNavigator>(
    () => ({
      ...history,
      push: (to, state) =>
        wanted.current !== shown.current && step.current === 'PUSH'
          ? history.replace(to, state)
          : history.push(to, state),
    }),
    [history],
  )
  useLayoutEffect(
    () =>
      history.listen(({ location, action, delta }) => {
        if (action === 'POP' && navigator.held?.(delta)) return
        if (action !== 'REPLACE' || wanted.current === shown.current) step.current = action
        wanted.current = location
        const show = (arrive?: Arrive) =>
          startTransition(() => setPlace({ location, navigationType: step.current, arrive }))
        const to = location.pathname
        if (to === shown.current.pathname) return show()
        sayUnderWay(true)
        // A page that cannot be loaded says so itself.
        const page = pages.load(match(to).page).catch(() => undefined)
        void Promise.all([loadPassage(), page]).then(([passage]) => {
          if (wanted.current !== location) return
          drawWhole(step.current === 'POP')
          show(passage?.leave(shown.current.pathname, to))
        })
      }),
    [history, pages, navigator],
  )
  useLayoutEffect(() => {
    shown.current = place.location
    if (wanted.current === place.location) sayUnderWay(false)
    waitFor(place.arrive?.())
  }, [place])
  const { location, navigationType } = place
  return (
    <Router navigator={navigator} location={location} navigationType={navigationType}>
      {children}
    </Router>
  )
}

/**
 * The page of the address. One table serves the server, the first load and this, so the router's own `Routes` would match
 * a second time, and bring 3 kB along for nested routes and loaders that the site does not have.
 */
export function AppRoutes({ pages }: { pages: Pages }) {
  const { pathname } = useLocation()
  useRouteChange()
  return (
    <ErrorBoundary key={pathname}>
      <Suspense fallback={<Spinner label="Loading the page" />}>
        <RouteView {...match(pathname)} pages={pages} />
      </Suspense>
    </ErrorBoundary>
  )
}
