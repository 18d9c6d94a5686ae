import { useState, useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server and in the first render of the browser, true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Whether the server sent this part. One that the browser draws may be a way back, to where its reader was. */
export function useSent(): boolean {
  const [isSent] = useState(!useHydrated())
  return isSent
}
