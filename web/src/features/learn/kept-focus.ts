import { useEffect, useRef } from 'react'

/** Keeps the focus in a part of the page when what had it gives way to something else: it goes on with the first of these. */
export function useKeptFocus<Part extends HTMLElement>(selector: string) {
  const part = useRef<Part>(null)
  const hasFocus = useRef(false)
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      part.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  })
  // What is taken out of the page while it has the focus tells nobody that it lost it.
  return {
    ref: part,
    onFocus: () => {
      hasFocus.current = true
    },
    onBlur: () => {
      hasFocus.current = false
    },
  }
}
