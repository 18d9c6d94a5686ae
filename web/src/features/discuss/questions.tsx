import { type FormEvent, useEffect, useRef, useState } from 'react'
import { nameOf } from '@/lib/name'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { Field, Input, Textarea } from '@/ui/field'
import { Link } from '@/ui/link'
import { clock } from '@/ui/player/clock'
import { Skeleton } from '@/ui/skeleton'
import { type Film, useQuestion, useQuestions } from './api'
import { useAsk } from './changes'
import { hasKept, useKept } from './kept'
import { QuestionPost } from './question'

const step = 20

type QuestionsProps = {
  course: string
  lesson: string
  film: Film | null
  /** The question that a link leads to. */
  wanted: string
  minds: boolean
  teaches: boolean
  mayPost: boolean
}

/** What was asked at a lesson. */
export function Questions({ course, lesson, film, wanted, minds, teaches, mayPost }: QuestionsProps) {
  const [limit, setLimit] = useState(step)
  const questions = useQuestions(lesson, limit)
  const linked = useQuestion(wanted)
  const [asking, setAsking] = useState<'' | 'anew' | 'kept'>(() => (hasKept(`question.${lesson}`) ? 'kept' : ''))
  const isAsking = asking !== ''
  const start = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  useEffect(() => {
    if (wasAsking.current && !isAsking) start.current?.focus({ preventScroll: true })
    wasAsking.current = isAsking
  }, [isAsking])
  const listed = questions.data ?? []
  const rows = [...(linked.data ?? []).filter(({ id }) => !listed.some((one) => one.id === id)), ...listed]
  const onJump = film?.seek
  return (
    <>
      {mayPost && !isAsking && (
        <div className="discuss-bar" tabIndex={-1}>
          <Button ref={start} size="small" onClick={() => setAsking('anew')}>
            Ask a question
          </Button>
        </div>
      )}
      {isAsking && (
        <Ask {...{ course, lesson, film, teaches }} isFocused={asking === 'anew'} onDone={() => setAsking('')} />
      )}
      {questions.isLoadingError ? (
        <ErrorState
          title="The questions could not be loaded"
          hint="The lesson still works."
          onRetry={() => void questions.refetch()}
        />
      ) : questions.isPending ? (
        <Skeleton className="discuss-waiting" />
      ) : rows.length === 0 ? (
        !isAsking && <p className="discuss-empty">No questions yet. Ask one, and the teachers get an email.</p>
      ) : (
        <ul className="discuss-list">
          {rows.map((question) => (
            <QuestionPost
              key={question.id}
              {...{ course, question, minds, mayPost, onJump }}
              isWanted={question.id === wanted}
            />
          ))}
        </ul>
      )}
      {listed.length >= limit && (
        <div>
          <Button size="small" disabled={questions.isFetching} onClick={() => setLimit(limit + step)}>
            {questions.isFetching ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
    </>
  )
}

/** Under which name a question is posted; a teacher's is the course's. */
function SeenAs({ teaches }: { teaches: boolean }) {
  const session = useSession()
  if (teaches || session.status !== 'signed-in') return 'Everybody in the course sees it, with your name.'
  const name = nameOf(session.session)
  return (
    <>
      Everybody in the course sees it. You appear as “<bdi>{name || 'A learner'}</bdi>”.
      {!name && (
        <>
          {' '}
          <Link to="/settings" className="underline underline-offset-4">
            Add your name in Settings
          </Link>
        </>
      )}
    </>
  )
}

type AskProps = {
  course: string
  lesson: string
  film: Film | null
  isFocused: boolean
  teaches: boolean
  onDone: () => void
}

function Ask({ course, lesson, film, isFocused, teaches, onDone }: AskProps) {
  const [now] = useState(() => film?.now() ?? null)
  const kept = useKept(`question.${lesson}`, { title: '', text: '', at: now })
  const ask = useAsk()
  const [isTried, setTried] = useState(false)
  const { title, text, at } = kept.words
  const [moment] = useState(at ?? now)
  const done = () => {
    kept.forget()
    onDone()
  }
  const leave = (title + text).trim() === '' ? done : onDone
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ask.isPending) return
    if (title.trim() === '') return setTried(true)
    ask.mutate({ course_id: course, lesson_id: lesson, at_seconds: at, title, text }, { onSuccess: done })
  }
  return (
    <form
      className="discuss-form"
      aria-label="Ask a question"
      noValidate
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && leave()}
    >
      <Field
        label="Your question"
        error={isTried && title.trim() === '' ? 'Write your question first.' : undefined}
        hint={<SeenAs teaches={teaches} />}
      >
        {(wiring) => (
          <Input
            {...wiring}
            autoFocus={isFocused}
            dir="auto"
            maxLength={150}
            value={title}
            onChange={({ target }) => kept.write({ ...kept.words, title: target.value })}
          />
        )}
      </Field>
      <Field label="Details" optional>
        {(wiring) => (
          <Textarea
            {...wiring}
            dir="auto"
            maxLength={5000}
            value={text}
            onChange={({ target }) => kept.write({ ...kept.words, text: target.value })}
          />
        )}
      </Field>
      {moment !== null && (
        <label className="discuss-check">
          <input
            type="checkbox"
            checked={at !== null}
            onChange={({ target }) => kept.write({ ...kept.words, at: target.checked ? moment : null })}
          />
          About the moment at {clock(moment)}
        </label>
      )}
      <div className="discuss-tools">
        <Button type="submit" look="primary" size="small" aria-disabled={ask.isPending}>
          {ask.isPending ? 'Posting...' : 'Post question'}
        </Button>
        <Button look="ghost" size="small" onClick={done}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
