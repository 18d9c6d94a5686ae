import type { ReactNode, Ref } from 'react'
import { Button } from '@/ui/button'
import type { Attempt, Judged } from './api'
import { moment, passAt } from './words'

type OutcomeProps = {
  judged: Judged
  isKept: boolean
  next: ReactNode
  heading: Ref<HTMLHeadingElement>
  onAgain: () => void
}

/** What came of a try, above the answers. */
export function Outcome({ judged, isKept, next, heading, onAgain }: OutcomeProps) {
  const { percent, passed, questions } = judged
  const right = questions.filter((one) => one.right).length
  return (
    <section className="quiz-outcome" data-passed={passed || undefined} aria-label="Result">
      <h2 ref={heading} tabIndex={-1}>
        {passed ? `You passed with ${percent}%` : `${percent}%. Not passed yet`}
      </h2>
      <p>
        {`${right} of ${questions.length} right. `}
        {passed
          ? isKept && 'This lesson is complete.'
          : `You need ${passAt}% to pass. Read through the answers, then try again.`}
      </p>
      <div className="quiz-ways">
        {passed && isKept && next}
        <Button look={passed ? 'secondary' : 'primary'} onClick={onAgain}>
          Try Again
        </Button>
      </div>
    </section>
  )
}

/** Every try that is known, the newest first. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null
  return (
    <details className="quiz-attempts">
      <summary>{attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}</summary>
      <ol>
        {attempts.map((one) => (
          <li key={one.created_at} className="quiz-attempt">
            <span>{`${one.percent}%`}</span>
            <span>{one.passed ? 'Passed' : 'Not passed'}</span>
            <time dateTime={one.created_at}>{moment(one.created_at)}</time>
          </li>
        ))}
      </ol>
    </details>
  )
}
