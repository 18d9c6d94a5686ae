import { Suspense, use, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Location, matchPath, Route, Routes, useLocation } from 'react-router'
import { Head } from '@/lib/head'
import { Spinner } from '@/ui/spinner'
import { ErrorBoundary } from './error-boundary'
import type { Pages } from './pages'
import { useRouteChange } from './route-change'
import { type RouteEntry, table } from './table'

/** The table's entry for an address, with the parameters in it. */
export function match(pathname: string): { entry: RouteEntry; params: Record<string, string | undefined> } {
  for (const entry of table) {
    const found = matchPath(entry.path, pathname)
    if (found) return { entry, params: found.params }
  }
  throw new Error('the last entry matches everything')
}

function RouteView({ entry, pages }: { entry: RouteEntry; pages: Pages }) {
  const { Page } = pages.peek(entry.page) ?? use(pages.load(entry.page))
  return (
    <>
      <Head {...entry.head} />
      <Page />
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
  const { pathname } = location
  const [path, setPath] = useState(pathname)
  const last = useRef(location)
  const there = pathname === path
  useLayoutEffect(() => {
    if (there) {
      last.current = location
      return
    }
    let wanted = true
    const show = () => {
      if (wanted) flushSync(() => setPath(pathname))
    }
    // A page that cannot be loaded says so itself.
    const page = pages.load(match(pathname).entry.page).catch(() => undefined)
    void Promise.all([loadPassage(), page]).then(([passage]) => {
      if (passage && wanted) passage.pass(last.current.pathname, pathname, show)
      else show()
    })
    return () => {
      wanted = false
    }
  }, [location, pathname, there, pages])
  return there ? location : last.current
}

export function AppRoutes({ pages }: { pages: Pages }) {
  const shown = useShown(pages)
  useRouteChange(shown)
  return (
    <ErrorBoundary key={shown.pathname}>
      <Suspense fallback={<Spinner label="Loading the page" />}>
        <Routes location={shown}>
          {table.map((entry) => (
            <Route key={entry.path} path={entry.path} element={<RouteView entry={entry} pages={pages} />} />
          ))}
        </Routes>
      </Suspense>
    </ErrorBoundary>
  )
}
