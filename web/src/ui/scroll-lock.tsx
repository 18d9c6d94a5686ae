import { type ReactNode, useEffect } from 'react'

let locks = 0

/**
 * Keeps the page behind a dialog from scrolling, with an attribute that the style sheet knows.
 * It takes the place of the package that the dialogs bring along, which would write a style
 * element into the page.
 */
export function RemoveScroll({ children, enabled = true }: { children: ReactNode; enabled?: boolean }) {
  useEffect(() => {
    if (!enabled) return
    locks += 1
    document.documentElement.toggleAttribute('data-scroll-locked', true)
    return () => {
      locks -= 1
      if (locks === 0) document.documentElement.removeAttribute('data-scroll-locked')
    }
  }, [enabled])
  return children
}
