import { Suspense, use, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Location, matchPath, Route, Routes, useLocation } from 'react-router'
import { Head } from '@/lib/head'
import { Spinner } from '@/ui/spinner'
import { ErrorBoundary } from './error-boundary'
import type { Pages } from './pages'
import { useRouteChange } from './route-change'
import { table } from './table'

/** The page at an address, with the parameters in it. */
export function match(pathname: string): { page: string; params: Record<string, string | undefined> } {
  for (const [path, page] of table) {
    const found = matchPath(path, pathname)
    if (found) return { page, params: found.params }
  }
  throw new Error('the last entry matches everything')
}

function RouteView({ page, pages }: { page: string; pages: Pages }) {
  const { Page, head } = pages.peek(page) ?? use(pages.load(page))
  return (
    <>
      <Head {...head} />
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
    const page = pages.load(match(pathname).page).catch(() => undefined)
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
          {table.map(([path, page]) => (
            <Route key={path} path={path} element={<RouteView page={page} pages={pages} />} />
          ))}
        </Routes>
      </Suspense>
    </ErrorBoundary>
  )
}
