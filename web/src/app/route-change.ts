import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const positions = new Map<string, number>()

function showHash(hash: string): boolean {
  const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)))
  if (!target) return false
  target.scrollIntoView()
  return true
}

/** A target that its page brings in later is scrolled to when it comes, within a few seconds. */
function awaitHash(hash: string): () => void {
  const observer = new MutationObserver(() => {
    if (showHash(hash)) stop()
  })
  const timer = setTimeout(() => stop(), 5000)
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document.body, { childList: true, subtree: true })
  return stop
}

/**
 * After a change of page: the scroll position of the past or the top, and the focus at the start
 * of the content, where readers of the page begin, or where they left it.
 */
export function useRouteChange() {
  const { key, pathname, hash, state } = useLocation()
  const type = useNavigationType()
  const first = useRef(true)
  const shown = useRef(key)
  const stay = type === 'REPLACE' && (state as { stay?: boolean } | null)?.stay === true

  useEffect(() => {
    history.scrollRestoration = 'manual'
    // A reload is the browser's to restore.
    const leave = () => {
      history.scrollRestoration = 'auto'
    }
    // Not of the entry that the browser is at: until its page has come, another one is scrolled.
    const remember = () => positions.set(shown.current, scrollY)
    addEventListener('scroll', remember, { passive: true })
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('scroll', remember)
      removeEventListener('pagehide', leave)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry is a change, even to the same path
  useLayoutEffect(() => {
    const initial = first.current
    first.current = false
    shown.current = key
    // Every part of another page has its height, so that it can be scrolled to: styles/base.css.
    if (!initial) document.body.removeAttribute('data-opened')
    if (hash && (initial || type !== 'POP')) return showHash(hash) ? undefined : awaitHash(hash)
    if (!initial && !stay) scrollTo(0, type === 'POP' ? (positions.get(key) ?? 0) : 0)
    return undefined
  }, [key])

  const lastPath = useRef(pathname)
  useEffect(() => {
    const left = lastPath.current
    if (left === pathname) return
    lastPath.current = pathname
    const content = document.getElementById('content')
    // Who comes back goes on from the link that led away.
    const link = type === 'POP' && content?.querySelector<HTMLElement>(`a[href=${JSON.stringify(left)}]`)
    ;(link || content)?.focus({ preventScroll: true })
  }, [pathname, type])
}
