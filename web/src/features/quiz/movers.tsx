import { Drawing } from '@/ui/all-icons'
import { IconButton } from '@/ui/icon-button'

type MoversProps = {
  id: string
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (step: -1 | 1) => void
}

/** Both stay in the order of the keys at the ends too: disabled, one would lose the focus of whoever pressed it. */
export function Movers({ id, name, isFirst, isLast, onMove }: MoversProps) {
  const mover = (step: -1 | 1, way: 'up' | 'down', isOff: boolean) => (
    <IconButton
      label={`Move ${name} ${way}`}
      data-mover={`${id}:${step}`}
      aria-disabled={isOff || undefined}
      onClick={() => !isOff && onMove(step)}
      className="text-muted aria-disabled:cursor-default aria-disabled:opacity-35"
    >
      <Drawing>
        <path d={way === 'up' ? 'm6 14.5 6-6 6 6' : 'm6 9.5 6 6 6-6'} />
      </Drawing>
    </IconButton>
  )
  return (
    <>
      {mover(-1, 'up', isFirst)}
      {mover(1, 'down', isLast)}
    </>
  )
}
