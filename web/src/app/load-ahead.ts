import type { Pages } from './pages'
import { unhurried } from './reload'
import { loadPassage, match } from './router'

/** Fetches a page's module when a pointer or the focus comes to a link that leads there. */
export function loadAhead(pages: Pages) {
  const look = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
    // A page that fails to come now is asked for again by the visit itself.
    if (link) void unhurried(Promise.all([pages.load(match(link.pathname).page), loadPassage()]))
  }
  for (const event of ['pointerover', 'focusin', 'touchstart'])
    document.addEventListener(event, look, { passive: true })
}
