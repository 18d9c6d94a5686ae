import { type FormEvent, useId, useState } from 'react'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Input } from '@/ui/field'
import { plural } from './api'
import type { Lesson } from './outline'

type Release = Pick<Lesson, 'release_days' | 'release_at'>

const moment = (iso: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(
    new Date(iso),
  )

/** When a lesson opens, in words; '' where that is at once. */
export function opensWords({ release_days, release_at }: Release): string {
  if (release_at) return `Opens ${moment(release_at)}`
  return release_days ? `Opens after ${plural(release_days, 'day')}` : ''
}

/** A moment as a date field shows it: in the reader's time zone, to the minute. */
export function localMoment(iso: string | null): string {
  if (!iso) return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const ways = [
  ['now', 'At once'],
  ['days', 'Some days after a learner enrolls'],
  ['at', 'At a moment'],
] as const
type Way = (typeof ways)[number][0]

type ReleaseDialogProps = { lesson: Lesson; onClose: () => void; onSave: (change: Release) => void }

/** Asks when a lesson opens: at once, so many days after enrolling, or at a moment for everybody. */
export function ReleaseDialog({ lesson, onClose, onSave }: ReleaseDialogProps) {
  const id = useId()
  const [way, setWay] = useState<Way>(lesson.release_at ? 'at' : lesson.release_days ? 'days' : 'now')
  const [days, setDays] = useState(String(lesson.release_days ?? 7))
  const [at, setAt] = useState(localMoment(lesson.release_at))
  const [error, setError] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const count = Number(days)
    if (way === 'days' && !(Number.isInteger(count) && count >= 1 && count <= 3650))
      return setError('A whole number of days, from 1 to 3,650.')
    if (way === 'at' && at === '') return setError('Please choose a date and a time.')
    onSave({
      release_days: way === 'days' ? count : null,
      release_at: way === 'at' ? new Date(at).toISOString() : null,
    })
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="When it opens"
      description={<bdi>{lesson.title}</bdi>}
    >
      <form noValidate aria-label="When it opens" data-panel="teach" onSubmit={submit} className="grid gap-2">
        {ways.map(([value, label]) => (
          <div key={value}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="radio"
                name="way"
                value={value}
                checked={way === value}
                onChange={() => {
                  setWay(value)
                  setError('')
                }}
                className="size-5 accent-accent"
              />
              {label}
            </label>
            {way === 'days' && value === 'days' && (
              <span className="flex items-center gap-3 pt-1 pb-2 pl-8">
                <Input
                  aria-label="Days"
                  aria-invalid={error !== '' || undefined}
                  aria-describedby={error ? id : undefined}
                  type="number"
                  inputMode="numeric"
                  min={1}
                  max={3650}
                  value={days}
                  onChange={({ target }) => setDays(target.value)}
                  className="max-w-28"
                />
                days
              </span>
            )}
            {way === 'at' && value === 'at' && (
              <span className="block pt-1 pb-2 pl-8">
                <Input
                  aria-label="Date and time"
                  aria-invalid={error !== '' || undefined}
                  aria-describedby={error ? id : undefined}
                  type="datetime-local"
                  value={at}
                  onChange={({ target }) => setAt(target.value)}
                  className="max-w-64"
                />
                <span className="mt-1.5 block text-meta text-muted">In your time zone; learners see it in theirs.</span>
              </span>
            )}
          </div>
        ))}
        {error && (
          <p id={id} role="alert" className="text-meta text-danger">
            {error}
          </p>
        )}
        <div className="mt-4 flex gap-3">
          <Button type="submit" look="accent">
            Save
          </Button>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
