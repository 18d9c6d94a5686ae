import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const positions = new Map<string, number>()

/** Which of the links to the same page led away, by history entry: a course may stand in several rows. */
const ordinals = new Map<string, number>()

const linksTo = (href: string | null) => [
  ...document.querySelectorAll<HTMLElement>(`#content a[href=${JSON.stringify(href)}]`),
]

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
  const lastPath = useRef(pathname)
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
    const note = ({ target }: Event) => {
      const link = (target as Element).closest('a')
      if (link) ordinals.set(shown.current, linksTo(link.getAttribute('href')).indexOf(link))
    }
    addEventListener('click', note)
    addEventListener('scroll', remember)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('click', note)
      removeEventListener('scroll', remember)
      removeEventListener('pagehide', leave)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry is a change, even to the same path
  useLayoutEffect(() => {
    const initial = first.current
    first.current = false
    shown.current = key
    const left = lastPath.current
    lastPath.current = pathname
    // Who comes back goes on from the link that led away. Its course's picture goes there too: ./passage.ts.
    const link = type === 'POP' && linksTo(left)[ordinals.get(key) ?? 0]
    if (left !== pathname) (link || document.getElementById('content'))?.focus({ preventScroll: true })
    // Every part of another page has its height, so that it can be scrolled to: styles/base.css.
    if (!initial) document.body.removeAttribute('data-opened')
    if (hash && (initial || type !== 'POP')) return showHash(hash) ? undefined : awaitHash(hash)
    if (!initial && !stay) scrollTo(0, type === 'POP' ? (positions.get(key) ?? 0) : 0)
    return undefined
  }, [key])
}
