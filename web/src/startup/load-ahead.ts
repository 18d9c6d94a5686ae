import { unhurried } from './reload'

/** Fetches what a page needs when a pointer or the focus comes to a link that leads there. */
export function loadAhead(load: (pathname: string) => Promise<unknown>) {
  const look = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
    // A page that fails to come now is asked for again by the visit itself.
    if (link) void unhurried(load(link.pathname))
  }
  for (const event of ['pointerover', 'focusin', 'touchstart'])
    document.addEventListener(event, look, { passive: true })
}
