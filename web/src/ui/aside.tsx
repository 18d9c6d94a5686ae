import { type ComponentType, useSyncExternalStore } from 'react'

// What stands at the foot of the window for a while, whatever page that shows, and is said to who listens. Who shows it
// brings it along: no page carries it.
let part: ComponentType | null = null
const listeners = new Set<() => void>()

export function showAside(next: ComponentType | null) {
  part = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where it stands: over the page, and below it at its end, so that nothing stays covered. */
export function Aside() {
  const Part = useSyncExternalStore(
    subscribe,
    () => part,
    () => null,
  )
  return (
    <div aria-live="polite" className="pointer-events-none sticky bottom-0 z-30">
      {Part && (
        <div className="px-(--gutter) pb-4">
          <Part />
        </div>
      )}
    </div>
  )
}
