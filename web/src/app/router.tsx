import { type ReactNode, Suspense, startTransition, use, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { type UNSAFE_createBrowserHistory as createBrowserHistory, matchPath, Router, useLocation } from 'react-router'
import { Head } from '@/lib/head'
import type { Params } from '@/lib/page'
import { Spinner } from '@/ui/spinner'
import { ErrorBoundary } from './error-boundary'
import type { Pages } from './pages'
import { useRouteChange } from './route-change'
import { table } from './table'

type Matched = { page: string; params: Params }

/** The page at an address, with the parameters in it. */
export function match(pathname: string): Matched {
  for (const [path, page] of table) {
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

/** Where a browser can show one page turning into the next, the part that does it. */
export const loadPassage = () =>
  'startViewTransition' in document && !matchMedia('(prefers-reduced-motion: reduce)').matches
    ? import('./passage').catch(() => undefined)
    : undefined

type History = ReturnType<typeof createBrowserHistory>

/**
 * The router of the browser. It tells of another page's address once that page is there: until then everything stays as
 * it is, with the old address, and nothing is drawn again.
 */
export function PatientRouter({ history, pages, children }: { history: History; pages: Pages; children: ReactNode }) {
  const [place, setPlace] = useState({ location: history.location, navigationType: history.action })
  const from = place.location.pathname
  useLayoutEffect(() => {
    let wanted: unknown
    const stop = history.listen(({ location, action }) => {
      wanted = location
      const next = { location, navigationType: action }
      const to = location.pathname
      if (from === to) return startTransition(() => setPlace(next))
      const show = () => {
        if (wanted === location) flushSync(() => setPlace(next))
      }
      // A page that cannot be loaded says so itself.
      const page = pages.load(match(to).page).catch(() => undefined)
      void Promise.all([loadPassage(), page]).then(([passage]) => {
        if (passage && wanted === location) passage.pass(from, to, show)
        else show()
      })
    })
    return () => {
      stop()
      wanted = undefined
    }
  }, [history, pages, from])
  return (
    <Router navigator={history} {...place}>
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
