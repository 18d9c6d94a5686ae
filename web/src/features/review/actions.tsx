import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/button'
import { Field, Textarea } from '@/ui/field'
import type { Review, Standing } from './api'
import { type Act, type Report, useAct } from './calls'

type ActionsProps = { course: string; review: Review; standing: Standing; report: Report | undefined }

const forms = {
  'report-review': {
    open: 'Report',
    to: 'Report',
    label: 'What is wrong with this review?',
    hint: undefined,
    send: 'Send report',
    most: 500,
  },
  'reply-review': {
    open: 'Reply',
    to: 'Reply to',
    label: 'Your reply',
    hint: 'You can’t change it later.',
    send: 'Post reply',
    most: 2000,
  },
  'hide-review': {
    open: 'Hide',
    to: 'Hide',
    label: 'Why is it hidden? Its author reads this.',
    hint: undefined,
    send: 'Hide review',
    most: 500,
  },
} as const

type Asked = keyof typeof forms

/** What somebody may do with another's review; each asks for words. */
export function Actions({ course, review, standing, report }: ActionsProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const act = useAct(course, review.id)
  const row = useRef<HTMLDivElement>(null)
  const isHidden = review.state === 'hidden'
  const may: Asked[] = isHidden
    ? []
    : [
        ...(standing.why === 'teach' && review.reply === null ? (['reply-review'] as const) : []),
        ...(standing.moderates ? (['hide-review'] as const) : (['report-review'] as const)),
      ]
  const done = () => {
    const last = asked
    setAsked(null)
    // The form is gone with the next drawing: the focus goes back to what opened it, or to what is left.
    setTimeout(() => {
      const buttons = row.current?.querySelectorAll<HTMLElement>('button') ?? []
      ;([...buttons].find(({ dataset }) => dataset.act === last) ?? buttons[0])?.focus()
    })
  }
  const run = (name: Act, words?: string) =>
    act.isPending || act.mutate({ act: name, ...(words ? { words } : {}) }, { onSuccess: done })
  return (
    <div ref={row} className="grid gap-3">
      {isHidden && <p className="text-meta text-muted">Hidden: {review.hidden_for}</p>}
      {report && (
        <p className="text-meta text-danger">
          Reported {report.count === 1 ? 'once' : `${report.count} times`}:{' '}
          {report.reports.map(({ reason }) => reason).join(' · ')}
        </p>
      )}
      <div className="-ml-3.5 flex flex-wrap">
        {may.map((name) => (
          <Button
            key={name}
            size="small"
            look="ghost"
            data-act={name}
            aria-expanded={asked === name}
            aria-label={`${forms[name].to} the review by ${review.author_name}`}
            onClick={() => setAsked(asked === name ? null : name)}
          >
            {forms[name].open}
          </Button>
        ))}
        {(isHidden || report) && (
          <Button size="small" look="ghost" onClick={() => run('show-review')}>
            {isHidden ? 'Show again' : 'Keep it'}
          </Button>
        )}
      </div>
      {asked && (
        <Words
          key={asked}
          {...forms[asked]}
          isPending={act.isPending}
          onSend={(words) => run(asked, words)}
          onCancel={done}
        />
      )}
    </div>
  )
}

type WordsProps = {
  label: string
  hint: string | undefined
  send: string
  most: number
  isPending: boolean
  onSend: (words: string) => void
  onCancel: () => void
}

function Words({ label, hint, send, most, isPending, onSend, onCancel }: WordsProps) {
  const [words, setWords] = useState('')
  const [error, setError] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const length = Array.from(words.trim()).length
    const wrong =
      length === 0 ? 'Write a few words first.' : length > most ? `That is ${length - most} characters too long.` : ''
    setError(wrong)
    if (wrong) return field.current?.focus()
    onSend(words.trim())
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid max-w-[65ch] gap-3">
      <Field label={label} hint={hint} error={error || undefined}>
        {(wiring) => (
          <Textarea
            {...wiring}
            ref={field}
            dir="auto"
            className="min-h-24"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" look="primary" aria-disabled={isPending}>
          {send}
        </Button>
        <Button size="small" look="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
