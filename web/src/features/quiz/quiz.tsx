import './quiz.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { BackendError } from '@/lib/backend'
import { clearDraft } from '@/lib/draft'
import { useKept } from '@/lib/kept'
import { useSession } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { toast } from '@/ui/toast'
import { answerQuiz, type Judged, type Picked, type Saved, type Sheet, sheetQuery } from './api'
import { Attempts, Outcome } from './outcome'
import { QuestionField } from './question-field'
import { lead } from './words'

type QuizProps = {
  lesson: string
  /** As it is being written, for who teaches it. */
  draft: boolean
  /** The way to the lesson after this one. */
  next: ReactNode
  onSaved: (saved: Saved) => void
}

/** The questions of a lesson. */
export function Quiz({ lesson, draft, next, onSaved }: QuizProps) {
  const { status, session } = useSession()
  const user = session?.user.id ?? ''
  const { data, isLoadingError, refetch } = useQuery({
    ...sheetQuery(user, lesson, draft),
    enabled: status !== 'loading',
  })
  if (isLoadingError)
    return (
      <ErrorState title="The quiz could not be loaded" hint="Your results are safe." onRetry={() => void refetch()} />
    )
  if (!data)
    return (
      <div className="quiz" aria-busy="true">
        {[1, 2, 3].map((one) => (
          <Skeleton key={one} className="quiz-waiting" />
        ))}
      </div>
    )
  return <Answering key={user} sheet={data} user={user} lesson={lesson} draft={draft} next={next} onSaved={onSaved} />
}

type AnsweringProps = QuizProps & { sheet: Sheet; user: string }

function Answering({ sheet, user, lesson, draft, next, onSaved }: AnsweringProps) {
  const client = useQueryClient()
  const kept = `quiz.${user}.${lesson}`
  const { words: picked, write, forget } = useKept<Picked>(kept, {})
  const [judged, setJudged] = useState<Judged | null>(null)
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const outcome = useRef<HTMLHeadingElement>(null)
  // The focus follows: to what came of it, and back to the first question.
  const wasJudged = useRef(false)
  useLayoutEffect(() => {
    if (wasJudged.current !== (judged !== null))
      (judged ? outcome.current : form.current?.querySelector('input'))?.focus()
    wasJudged.current = judged !== null
  }, [judged])
  const { questions, may } = sheet
  const look = () => client.invalidateQueries({ queryKey: sheetQuery(user, lesson, draft).queryKey })
  const check = useMutation({
    mutationFn: () => answerQuiz(lesson, picked, draft),
    onSuccess: (answer) => {
      setJudged(answer)
      clearDraft(kept)
      if (!answer.progress) return
      onSaved(answer.progress)
      void look()
    },
    onError: (error) => {
      const isOther = error instanceof BackendError && (error.status === 409 || error.status === 400)
      if (isOther) void look()
      toast.error(
        isOther
          ? 'This quiz has changed. Answer what is new and check again.'
          : 'Failed to check your answers. Please try again.',
        waitAdvice(error),
      )
    },
  })
  const open = questions.filter(({ id, choices }) => !choices.some((choice) => picked[id]?.includes(choice.id)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (check.isPending) return
    setAsking(open.length > 0)
    const [first] = open
    if (first) return form.current?.querySelector<HTMLElement>(`[name="${first.id}"]`)?.focus()
    check.mutate()
  }
  const again = () => {
    forget()
    setJudged(null)
    setAsking(false)
  }
  const isLost = (id: string) => isAsking && open.some((one) => one.id === id)
  if (questions.length === 0) return <p className="lesson-note">This quiz has no questions yet.</p>
  return (
    <div className="quiz">
      <p className="lesson-note quiz-lead">{lead(questions.length)}</p>
      {judged ? (
        <Outcome judged={judged} isKept={may === 'answer'} next={next} heading={outcome} onAgain={again} />
      ) : (
        sheet.best !== null && (
          <p className="quiz-best" data-passed={sheet.passed || undefined}>
            {`Best result: ${sheet.best}%. ${sheet.passed ? 'You passed.' : 'Not passed yet.'}`}
          </p>
        )
      )}
      <form ref={form} noValidate onSubmit={submit} aria-label="Quiz">
        <ol className="quiz-questions">
          {questions.map((question, index) => (
            <li key={question.id}>
              <QuestionField
                question={question}
                number={index + 1}
                picked={picked[question.id] ?? []}
                verdict={judged?.questions.find(({ id }) => id === question.id)}
                isLost={isLost(question.id)}
                onPick={(ids) => write({ ...picked, [question.id]: ids })}
              />
            </li>
          ))}
        </ol>
        {!judged && (
          <div className="quiz-foot">
            {may === 'enroll' ? (
              <p className="lesson-note">Enroll to check your answers.</p>
            ) : (
              <Button type="submit" look="accent" size="large" aria-disabled={check.isPending}>
                {check.isPending ? 'Checking...' : 'Check Answers'}
              </Button>
            )}
            {may === 'try' && <p className="lesson-note">You teach this course: nothing is kept of this try.</p>}
            <p role="alert" className="quiz-missing">
              {isAsking && open.length > 0 ? 'Answer every question first.' : ''}
            </p>
          </div>
        )}
        {judged && (
          <div className="quiz-foot">
            <Button onClick={again}>Try Again</Button>
          </div>
        )}
      </form>
      <Attempts attempts={sheet.attempts} />
    </div>
  )
}
