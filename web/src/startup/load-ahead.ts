import { unhurried } from './reload'

/** A pointer that rests on a link means it; one that passes does not. */
const rest = 80

type Connection = { saveData?: boolean }

/** Fetches a page when a pointer or the focus comes to a link that leads there, and its data when it stays. */
export function loadAhead(load: (pathname: string) => Promise<unknown>, read: (link: URL) => Promise<unknown>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = ({ type, target }: Event) => {
    clearTimeout(timer)
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
    if (!link) return
    // What fails to come now is asked for again by the visit itself.
    void unhurried(load(link.pathname))
    const { connection } = navigator as { connection?: Connection }
    if (connection?.saveData) return
    timer = setTimeout(() => void unhurried(read(new URL(link.href))), type === 'touchstart' ? 0 : rest)
  }
  for (const event of ['pointerover', 'focusin', 'touchstart'])
    document.addEventListener(event, look, { passive: true })
}
