import { Button } from './button'

type ErrorStateProps = { title: string; hint?: string; onRetry: () => void }

/** What failed, what still works, and a way to try again. */
export function ErrorState({ title, hint, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-start gap-4 rounded-card border border-hairline bg-surface-1 p-6">
      <div>
        <p className="font-serif text-2xl leading-tight">{title}</p>
        {hint && <p className="mt-1 text-muted">{hint}</p>}
      </div>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
