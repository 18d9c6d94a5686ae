import { useEffect, useState } from 'react'

/** A text that is being typed, once the fingers have paused for so many milliseconds. */
export function useDebounced(text: string, pause: number): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pause)
    return () => clearTimeout(timer)
  }, [text, pause])
  return paused
}
