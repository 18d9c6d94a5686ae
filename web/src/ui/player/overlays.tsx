import { useEffect, useRef, useState } from 'react'
import { Button } from '../button'
import { keyList } from './keys'

/** What went wrong, and the way on. */
export function Broken({ words, onRetry }: { words: string; onRetry: () => void }) {
  return (
    <div role="alert" className="player-cover">
      <p className="player-line">{words}</p>
      <Button look="primary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

export type Following = { title: string; onGo: (byItself: boolean) => void }

const pause = 5

/** After the end: what comes next, by itself after five seconds unless somebody says no. */
export function UpNext({ title, onGo, onCancel }: Following & { onCancel: () => void }) {
  const [left, setLeft] = useState(pause)
  const go = useRef(onGo)
  go.current = onGo
  useEffect(() => {
    if (left === 0) return go.current(true)
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return (
    <section aria-label="Up next" className="player-cover">
      <p role="status" className="sr-only">{`Next: ${title}. It starts in ${pause} seconds.`}</p>
      <p aria-hidden="true" className="player-kicker">
        Up next in {left}
      </p>
      <p aria-hidden="true" className="player-line">
        {title}
      </p>
      <div className="player-row">
        <Button look="primary" onClick={() => onGo(false)}>
          Play now
        </Button>
        <Button look="glass" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  )
}

/** The keys. It stands inside the player, so that a full screen shows it too. */
export function KeyList({ hasNotes, onClose }: { hasNotes: boolean; onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    close.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div
      role="dialog"
      aria-label="Keyboard shortcuts"
      className="player-keys"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== '?') return
        event.stopPropagation()
        onClose()
      }}
    >
      <p className="player-line">Keyboard shortcuts</p>
      <dl>
        {keyList(hasNotes).map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Button ref={close} look="glass" onClick={onClose}>
        Close
      </Button>
    </div>
  )
}
