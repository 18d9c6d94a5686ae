import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { forgetArrivalError, noteArrivalNews, useArrivalError, useArrivalNews } from '@/lib/arrival'
import { useLater } from '@/lib/later'
import { readAnew } from '@/lib/query'
import { useReaderId } from '@/lib/session'
import { takePress } from '@/startup/early-press'
import { Aside } from '@/ui/aside'
import { ToastHost, toast } from '@/ui/toast'
import { Footer } from './footer'
import { Navigation } from './navigation'

/** What stands around every page. */
export function Shell({ children }: { children: ReactNode }) {
  useForgetOthers()
  useTellArrivalError()
  useTellArrivalNews()
  // Before anything else can be pressed, or a press would count for the starter and for the app.
  useLayoutEffect(takePress, [])
  return (
    <>
      <a
        href="#content"
        className="fixed top-3 left-3 z-[60] -translate-y-20 rounded-control bg-foreground px-4 py-2.5 font-medium text-background focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <Navigation />
      <main id="content" tabIndex={-1} className="min-h-dvh">
        {children}
      </main>
      <Footer />
      <Aside />
      <ToastHost />
      <WhenOutdated />
    </>
  )
}

const loadOutdated = () => import('./outdated').then((module) => module.Outdated)

/** The note about old content, fetched when the first renewal fails. */
function WhenOutdated() {
  const client = useQueryClient()
  const [Outdated, bring] = useLater(loadOutdated)
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query }) => {
        if (query.state.error && query.state.data !== undefined) void bring()
      }),
    [client, bring],
  )
  return Outdated && <Outdated />
}

/** Drops what belonged to somebody when they leave or another takes their place. */
function useForgetOthers() {
  const user = useReaderId()
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!user) return
    return () => queryClient.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(user) })
  }, [user, queryClient])
}

/** Tells what a link brought here could not do; the screens of sign-in say it themselves. */
function useTellArrivalError() {
  const error = useArrivalError()
  const ownWords = useLocation().pathname.startsWith('/auth')
  useEffect(() => {
    if (!error || ownWords) return
    toast.error(error)
    forgetArrivalError()
  }, [error, ownWords])
}

/** Tells what a link brought here has done, or who a guest has become; what is theirs is read anew. */
function useTellArrivalNews() {
  const news = useArrivalNews()
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!news) return
    toast.success(news)
    noteArrivalNews(null)
    void readAnew(queryClient, [])
  }, [news, queryClient])
}
