import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { ago } from '@/lib/ago'
import { useNow } from '@/lib/now'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Textarea } from '@/ui/field'
import { clock, inWords } from '@/ui/player/clock'

export function Tag({ tone, children }: { tone?: 'gold' | 'success' | 'danger'; children: ReactNode }) {
  return (
    <span className="discuss-tag" data-tone={tone}>
      {children}
    </span>
  )
}

/** A moment of the film, and the way back to it. */
export function Moment({ at, onJump }: { at: number | null; onJump: ((at: number) => void) | undefined }) {
  if (at === null) return null
  if (!onJump) return <span className="discuss-moment">{clock(at)}</span>
  return (
    <button
      type="button"
      className="discuss-moment"
      aria-label={`${clock(at)}, jump to ${inWords(at)}`}
      onClick={() => onJump(at)}
    >
      {clock(at)}
    </button>
  )
}

/** Who wrote something, and when. */
export function Byline({ name, at, children }: { name: string; at: string; children?: ReactNode }) {
  const now = useNow() ?? Date.parse(at)
  return (
    <p className="discuss-by">
      <bdi>{name}</bdi>
      <time dateTime={at}>{ago(at, now, 'en-US')}</time>
      {children}
    </p>
  )
}

/** Who took a post from sight, and why. */
export function Hidden({
  post,
}: {
  post: { hidden_at: string | null; hidden_for: string | null; hidden_by_admin: boolean }
}) {
  if (post.hidden_at === null) return null
  return (
    <p className="discuss-why">
      Hidden by {post.hidden_by_admin ? 'an admin' : 'the teachers'}: {post.hidden_for}
    </p>
  )
}

/** What somebody typed, with its line ends. */
export function Words({ text }: { text: string }) {
  return text ? (
    <p className="discuss-words" dir="auto">
      {text}
    </p>
  ) : null
}

type WriteProps = {
  label: string
  action: string
  value: string
  onChange: (text: string) => void
  isPending: boolean
  onSave: () => void
  /** Forgets what was typed; without it there is nothing to forget. */
  onCancel: (() => void) | undefined
  /** Closes, and keeps what was typed. */
  onLeave?: () => void
  isFocused?: boolean
  isBlankFine?: boolean
}

/** The whole field, where the focus alone would leave half of it below a small screen. */
const bring = (field: HTMLElement | null) => field?.scrollIntoView({ block: 'nearest' })

/** A few lines to write, which Ctrl and Enter save, and Escape leaves. */
export function Write(props: WriteProps) {
  const { label, action, value, onChange, isPending, onSave, onCancel, onLeave, isFocused, isBlankFine } = props
  const [isEmpty, setEmpty] = useState(false)
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isPending) return
    if (value.trim() === '' && !isBlankFine) return setEmpty(true)
    onSave()
  }
  const hear = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
    if (event.key === 'Escape') onLeave?.()
  }
  return (
    <form className="discuss-form" noValidate onSubmit={submit}>
      <Field label={label} error={isEmpty && value.trim() === '' ? 'Write something first.' : undefined}>
        {(wiring) => (
          <Textarea
            {...wiring}
            ref={isFocused ? bring : undefined}
            dir="auto"
            maxLength={5000}
            autoFocus={isFocused ?? false}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            onKeyDown={hear}
          />
        )}
      </Field>
      <div className="discuss-tools">
        <Button type="submit" look="primary" size="small" aria-disabled={isPending}>
          {isPending ? 'Saving...' : action}
        </Button>
        {onCancel && (
          <Button look="ghost" size="small" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}

type ReasonProps = {
  title: string
  description: string
  action: string
  isOptional?: boolean
  isPending: boolean
  onClose: () => void
  onGive: (reason: string) => void
}

/** Asks why. */
export function Reason({ title, description, action, isOptional, isPending, onClose, onGive }: ReasonProps) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    if (reason.trim() === '' && !isOptional) return setMissing(true)
    onGive(reason)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={description}>
      <form className="discuss-form" noValidate onSubmit={submit}>
        <Field
          label="Reason"
          optional={isOptional ?? false}
          error={isMissing && reason.trim() === '' ? 'Give a reason.' : undefined}
        >
          {(wiring) => (
            <Textarea {...wiring} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
        <div className="discuss-tools">
          <Button type="submit" look="primary" aria-disabled={isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
