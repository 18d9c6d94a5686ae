import { useCallback, useEffect, useRef, useState } from 'react'

const after = 2600

/** Whether the controls step back: the film plays, and nobody has moved for a while. */
export function useQuiet(mayBe: boolean) {
  const [isQuiet, setQuiet] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stir = useCallback(() => {
    clearTimeout(timer.current)
    setQuiet(false)
    if (mayBe) timer.current = setTimeout(setQuiet, after, true)
  }, [mayBe])
  useEffect(() => {
    stir()
    return () => clearTimeout(timer.current)
  }, [stir])
  return { isQuiet, stir }
}
