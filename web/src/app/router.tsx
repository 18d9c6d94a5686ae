import { Suspense, use, useState } from 'react'
import { matchPath, Route, Routes, useLocation } from 'react-router'
import { Head } from '@/lib/head'
import { Spinner } from '@/ui/spinner'
import { ErrorBoundary } from './error-boundary'
import type { Pages } from './pages'
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

export function AppRoutes({ pages }: { pages: Pages }) {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  // Pages fade in, but for the one that came with the document.
  return (
    <div key={pathname} className={pathname === first ? undefined : 'animate-[fade_200ms_both]'}>
      <ErrorBoundary>
        <Suspense fallback={<Spinner label="Loading the page" />}>
          <Routes>
            {table.map((entry) => (
              <Route key={entry.path} path={entry.path} element={<RouteView entry={entry} pages={pages} />} />
            ))}
          </Routes>
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
