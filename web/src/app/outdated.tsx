import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Button } from '@/ui/button'

/** A read on show that could not be renewed: what it found before still stands. */
export const isOutdated = ({ state }: Query) => state.status === 'error' && state.data !== undefined

/** Says quietly that what is shown may be old, for as long as it is. */
export function Outdated() {
  const client = useQueryClient()
  const onShow = { type: 'active', predicate: isOutdated } as const
  const isShown = useSyncExternalStore(
    (listener) => client.getQueryCache().subscribe(listener),
    () => client.getQueryCache().findAll(onShow).length > 0,
  )
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-30 flex justify-center px-(--gutter)">
      {isShown && (
        <p className="pointer-events-auto flex items-center gap-3 rounded-full border border-hairline bg-surface-2 py-1 pr-1 pl-5 text-meta text-soft">
          What you see may be out of date.
          <Button look="ghost" size="small" className="rounded-full" onClick={() => void client.refetchQueries(onShow)}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}
