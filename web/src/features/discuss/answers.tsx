import { useState } from 'react'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { type Answer, type Flag, type Question, useAnswers } from './api'
import { useAccept, useAnswer } from './changes'
import { useKept } from './kept'
import { Byline, Hidden, Tag, Words, Write } from './parts'
import { Reword, Tools } from './tools'

type AnswersProps = { course: string; question: Question; minds: boolean; mayPost: boolean; flags: readonly Flag[] }

/** What was answered, the accepted one first, and room for one's own. */
export function Answers({ course, question, minds, mayPost, flags }: AnswersProps) {
  const answers = useAnswers(question.id, true)
  return (
    <div className="discuss-answers">
      {answers.isLoadingError ? (
        <ErrorState title="The answers could not be loaded" onRetry={() => void answers.refetch()} />
      ) : answers.isPending ? (
        <Skeleton className="discuss-waiting" />
      ) : (
        <ul aria-label={`Answers to ${question.title}`}>
          {answers.data.map((answer) => (
            <AnswerPost
              key={answer.id}
              answer={answer}
              minds={minds}
              isReported={flags.some(({ id }) => id === answer.id)}
            />
          ))}
        </ul>
      )}
      {mayPost && <NewAnswer course={course} question={question.id} />}
    </div>
  )
}

function AnswerPost({ answer, minds, isReported }: { answer: Answer; minds: boolean; isReported: boolean }) {
  const [isEdited, setEdited] = useState(false)
  const accept = useAccept(answer.id)
  const isHidden = answer.hidden_at !== null
  if (isEdited)
    return (
      <li>
        <Reword kind="answer" id={answer.id} text={answer.text} onDone={() => setEdited(false)} />
      </li>
    )
  return (
    <li className="discuss-answer" data-accepted={answer.accepted || undefined}>
      <Byline name={answer.mine ? 'You' : answer.author_name} at={answer.created_at}>
        {answer.by_teacher && <Tag tone="gold">Teacher</Tag>}
        {answer.accepted && <Tag tone="success">Accepted</Tag>}
        {isHidden && <Tag tone="danger">Hidden</Tag>}
      </Byline>
      <Hidden post={answer} />
      <Words text={answer.text} />
      <div className="discuss-tools">
        {minds && !isHidden && (
          <Button look="ghost" size="small" onClick={() => accept.mutate(!answer.accepted)}>
            {answer.accepted ? 'Undo accept' : 'Accept'}
          </Button>
        )}
        <Tools
          kind="answer"
          post={answer}
          minds={minds}
          isReported={isReported}
          mayDelete={answer.mine}
          onEdit={() => setEdited(true)}
        />
      </div>
    </li>
  )
}

function NewAnswer({ course, question }: { course: string; question: string }) {
  const kept = useKept(`answer.${question}`, '')
  const answer = useAnswer(course, question)
  return (
    <Write
      label="Your answer"
      action="Post answer"
      value={kept.words}
      onChange={kept.write}
      isPending={answer.isPending}
      onSave={() => answer.mutate(kept.words, { onSuccess: kept.forget })}
      onCancel={kept.words === '' ? undefined : kept.forget}
    />
  )
}
