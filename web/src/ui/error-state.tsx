import { Button } from './button'

type ErrorStateProps = { title: string; hint?: string; onRetry: () => void }

let tried = ''

/** The button goes while it is tried again: its focus waits at the page's content, and is back if that was in vain. */
const keepFocus = (button: HTMLElement | null) => {
  const content = document.getElementById('content')
  const words = button?.parentElement?.textContent ?? ''
  if (tried === words && document.activeElement === content) button?.focus()
  return () => {
    tried = document.activeElement === button ? words : ''
    if (tried) content?.focus({ preventScroll: true })
  }
}

/** What failed, what still works, and a way to try again. Without a network neither helps: reads go on when it is back. */
export function ErrorState({ title, hint, onRetry }: ErrorStateProps) {
  const words = globalThis.navigator?.onLine === false ? 'You’re offline. It loads once you’re back.' : hint
  return (
    <div role="alert" className="flex flex-col items-start gap-4 rounded-card border border-hairline bg-surface-1 p-6">
      <div>
        <p className="font-serif text-2xl leading-tight">{title}</p>
        {words && <p className="mt-1 text-muted">{words}</p>}
      </div>
      <Button ref={keepFocus} size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
