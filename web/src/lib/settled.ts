import { useEffect, useState } from 'react'

/** A text that is being typed, once the fingers have paused for so many milliseconds. */
export function useSettled(text: string, pause: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text, pause])
  return settled
}
