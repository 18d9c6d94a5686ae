import { type ComponentType, useCallback, useState } from 'react'
import { report } from './report'

/**
 * A part of the page that is loaded when it is wanted: the part once it is there, and a call that
 * brings it and says whether that worked. Unlike a lazy component, a part that could not be loaded
 * takes nothing else down and can be asked for again.
 */
export function useLater<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null)
  const bring = useCallback(async () => {
    try {
      const part = await load()
      setPart(() => part)
      return true
    } catch (error) {
      report(error)
      return false
    }
  }, [load])
  return [Part, bring] as const
}
