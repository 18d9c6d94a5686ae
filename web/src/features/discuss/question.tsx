import { useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'
import { Answers } from './answers'
import type { Flag, Question } from './api'
import { usePin } from './changes'
import { Byline, Hidden, Moment, Tag, Words } from './parts'
import { Reword, Tools } from './tools'

type QuestionPostProps = {
  course: string
  question: Question
  minds: boolean
  mayPost: boolean
  onJump?: ((at: number) => void) | undefined
  /** A link leads to it: it is open, and in sight. */
  isWanted?: boolean
  /** The lesson that it was asked at, where that is not the page. */
  place?: { title: string; to: string }
  flags?: readonly Flag[]
}

const answersWord = (many: number) => (many === 1 ? '1 answer' : `${many} answers`)

/** A question, and below it what was answered once that is asked for. */
export function QuestionPost(props: QuestionPostProps) {
  const { course, question, minds, mayPost, onJump, isWanted = false, place, flags = [] } = props
  const [isOpen, setOpen] = useState(isWanted)
  const [isEdited, setEdited] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  const pin = usePin(question.id)
  useEffect(() => {
    if (isWanted) item.current?.scrollIntoView({ block: 'center' })
  }, [isWanted])
  const isHidden = question.hidden_at !== null
  const mayAnswer = mayPost && !isHidden
  const label = question.answers > 0 || !mayAnswer ? answersWord(question.answers) : 'Answer'
  return (
    <li ref={item} className="discuss-question">
      {isEdited ? (
        <Reword
          kind="question"
          id={question.id}
          title={question.title}
          text={question.text}
          onDone={() => setEdited(false)}
        />
      ) : (
        <>
          <h3 dir="auto">{question.title}</h3>
          <Byline name={question.mine ? 'You' : question.author_name} at={question.created_at}>
            {place && <Link to={place.to}>{place.title}</Link>}
            <Moment at={question.at_seconds} onJump={onJump} />
            {question.pinned && <Tag tone="gold">Pinned</Tag>}
            {question.answered && !isHidden && <Tag tone="success">Answered</Tag>}
            {isHidden && <Tag tone="danger">Hidden</Tag>}
            {flags.length > 0 && <Tag tone="danger">{flags.length === 1 ? '1 report' : `${flags.length} reports`}</Tag>}
          </Byline>
          <Hidden post={question} />
          {flags.map(({ kind, id, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several may say the same of one post
            <p key={`${id} ${index}`} className="discuss-why">
              {kind === 'question' ? 'Reported' : 'An answer is reported'}
              {reason && `: ${reason}`}
            </p>
          ))}
          <Words text={question.text} />
        </>
      )}
      <div className="discuss-tools">
        {(question.answers > 0 || mayAnswer || minds) && (
          <Button
            size="small"
            aria-expanded={isOpen}
            aria-label={`${label}: ${question.title}`}
            onClick={() => setOpen(!isOpen)}
          >
            {label}
          </Button>
        )}
        {minds && !isHidden && (
          <Button look="ghost" size="small" onClick={() => pin.mutate(!question.pinned)}>
            {question.pinned ? 'Unpin' : 'Pin'}
          </Button>
        )}
        <Tools
          kind="question"
          post={question}
          minds={minds}
          isReported={flags.some(({ kind }) => kind === 'question')}
          mayDelete={question.mine && question.answers === 0}
          onEdit={() => setEdited(true)}
        />
      </div>
      {isOpen && <Answers {...{ course, question, minds, flags }} mayPost={mayAnswer} />}
    </li>
  )
}
