import { useEffect, useRef } from 'react'

/** A button that goes with its entry leaves the focus nowhere: it goes to the page's content then. */
export function useKeptPlace(entries: number) {
  const before = useRef(0)
  useEffect(() => {
    const isLost = entries < before.current && document.activeElement === document.body
    if (isLost) document.getElementById('content')?.focus({ preventScroll: true })
    before.current = entries
  }, [entries])
}
