import { Suspense, use, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Location, UNSAFE_LocationContext as LocationContext, matchPath, useLocation } from 'react-router'
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

/** The address whose page is on show: until the next one has come, still the last. */
function useShown(pages: Pages): Location {
  const location = useLocation()
  const [shown, setShown] = useState(location)
  const from = shown.pathname
  const to = location.pathname
  // Another address of the same page needs no waiting.
  if (location !== shown && from === to) setShown(location)
  useLayoutEffect(() => {
    if (from === to) return
    let wanted = true
    const show = () => {
      if (wanted) flushSync(() => setShown(location))
    }
    // A page that cannot be loaded says so itself.
    const page = pages.load(match(to).page).catch(() => undefined)
    void Promise.all([loadPassage(), page]).then(([passage]) => {
      if (passage && wanted) passage.pass(from, to, show)
      else show()
    })
    return () => {
      wanted = false
    }
  }, [location, from, to, pages])
  return shown
}

/**
 * The page of the address on show. One table serves the server, the first load and this, so the router's own `Routes`
 * would match a second time, and bring 3 kB along for nested routes and loaders that the site does not have.
 */
export function AppRoutes({ pages }: { pages: Pages }) {
  const shown = useShown(pages)
  const navigationType = useRouteChange(shown)
  return (
    <LocationContext value={{ location: shown, navigationType }}>
      <ErrorBoundary key={shown.pathname}>
        <Suspense fallback={<Spinner label="Loading the page" />}>
          <RouteView {...match(shown.pathname)} pages={pages} />
        </Suspense>
      </ErrorBoundary>
    </LocationContext>
  )
}
