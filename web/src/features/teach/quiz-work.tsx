import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import { call } from '@/lib/functions'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { toast } from '@/ui/toast'
import { useUnsaved } from '@/ui/unsaved'
import { useTeachKey } from './api'
import type { Wire } from './autosave'
import { usePublish } from './curriculum-api'
import { Heading } from './heading'
import type { Workpiece } from './lesson-api'
import { Aside, Conflict, words } from './text-panel'
import { useSaving } from './use-autosave'

/** Who edits the questions of a quiz, which travel as text. */
export type QuizSlot = (props: { text: string; mayEdit: boolean; onText: (text: string) => void }) => ReactNode

type Draft = { questions: unknown[]; version: number; published_version: number }

const readQuiz = (lesson: string, signal?: AbortSignal) => call<Draft>('studio-quiz', { lesson }, signal)
const bodyOf = ({ questions }: Draft) => JSON.stringify(questions)

const wireOf = (lesson: string): Wire => ({
  send: async (body, version) =>
    (await call<{ version: number }>('save-quiz', { lesson, questions: JSON.parse(body), version })).version,
  read: async () => {
    const now = await readQuiz(lesson)
    return { body: bodyOf(now), version: now.version }
  },
})

type QuizWorkProps = { course: string; lesson: Workpiece['lesson']; mayEdit: boolean; quiz: QuizSlot }

/** Leads the keys to what a refusal names: the first field of the question that is empty, or the marks of its choices. */
function toFault(why: string) {
  const card = document.querySelector(`section[aria-label="Question ${/question (\d+)/i.exec(why)?.[1]}"]`)
  const fields = [...(card?.querySelectorAll<HTMLInputElement>('[data-prompt], [data-choice]') ?? [])]
  const fault = fields.find(({ value }) => value.trim() === '') ?? card?.querySelector<HTMLElement>('[name^="right-"]')
  fault?.focus()
}

/** A quiz in the making, saved as the text of a lesson is. */
export function QuizWork(props: QuizWorkProps) {
  const { lesson } = props
  const key = useTeachKey()
  const { data, isLoadingError, refetch } = useQuery({
    queryKey: [...key, 'quiz', lesson.id],
    queryFn: ({ signal }) => readQuiz(lesson.id, signal),
    staleTime: 0,
    gcTime: 0,
  })
  if (isLoadingError)
    return (
      <ErrorState
        title="The quiz could not be loaded"
        hint="The rest of the studio still works."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Skeleton className="h-96 rounded-card" />
  return <Opened {...props} draft={data} />
}

const notice = 'mb-4 overflow-hidden rounded-card border border-hairline border-b-0'

function Opened({ course, lesson, mayEdit, quiz, draft }: QuizWorkProps & { draft: Draft }) {
  const { save, state, text } = useSaving(lesson.id, { body: bodyOf(draft), version: draft.version }, wireOf)
  // What learners have, as far as that is known here.
  const [out, setOut] = useState(() => (draft.published_version === draft.version ? bodyOf(draft) : ''))
  const publish = usePublish(course)
  const [, question] = useUnsaved(
    state !== 'saved',
    {
      question: 'Leave this quiz?',
      detail: 'Your changes have not reached the server. They are kept in this tab, and wait here when you come back.',
      keep: 'Stay',
      action: 'Leave',
    },
    () => save.flush(),
  )
  const onPublish = async () => {
    if (!(await save.flush())) return toast.error('Your changes are not saved yet. Publish them when they are.')
    const sent = save.text
    publish.mutate(
      { id: lesson.id, isOn: true },
      { onSuccess: () => setOut(sent), onError: (error) => toFault(error.message) },
    )
  }
  const isBad = state === 'long' || state === 'refused'
  return (
    <>
      {question}
      <Heading
        course={course}
        lesson={lesson}
        mayEdit={mayEdit}
        isChanged={lesson.state === 'published' && text !== out}
        isPending={publish.isPending}
        onPublish={() => void onPublish()}
      />
      {mayEdit && (
        <p role="status" className={clsx('mb-3 min-h-6 px-1 text-meta', isBad ? 'text-danger' : 'text-muted')}>
          {state === 'refused' ? save.why || words.refused : words[state].replace('text', 'quiz')}
        </p>
      )}
      {state === 'conflict' && (
        <div className={notice}>
          <Conflict save={save} onTheirs={() => undefined} />
        </div>
      )}
      {save.mine !== null && state === 'saved' && (
        <div className={notice}>
          <Aside>
            <p>You see the other version. Yours is kept until you leave this page.</p>
            <Button
              size="small"
              onClick={() => {
                const mine = save.mine ?? ''
                save.mine = null
                save.type(mine)
              }}
            >
              Put mine back
            </Button>
          </Aside>
        </div>
      )}
      {quiz({ text, mayEdit, onText: (next) => save.type(next) })}
    </>
  )
}
