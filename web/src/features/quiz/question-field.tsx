import { useId } from 'react'
import { Icon } from '@/ui/all-icons'
import type { Question, Verdict } from './api'
import { said } from './words'

type QuestionFieldProps = {
  question: Question
  number: number
  picked: readonly string[]
  /** What came of it, once it was answered. */
  verdict: Verdict | undefined
  isLost: boolean
  onPick: (ids: string[]) => void
}

/** A question and its choices; after an answer what was right, in words. */
export function QuestionField({ question, number, picked, verdict, isLost, onPick }: QuestionFieldProps) {
  const hint = useId()
  const { id, prompt, many, choices } = question
  const pick = (choice: string, isOn: boolean) => {
    if (!many) return onPick([choice])
    onPick(isOn ? [...picked, choice] : picked.filter((one) => one !== choice))
  }
  return (
    <fieldset className="quiz-question" disabled={verdict !== undefined} aria-describedby={hint}>
      <legend>
        <span className="quiz-number">{`Question ${number}`}</span>
        <bdi className="quiz-prompt">{prompt}</bdi>
      </legend>
      <p id={hint} className="quiz-hint" data-lost={isLost || undefined}>
        {isLost ? 'Not answered yet. ' : ''}
        {many ? 'Pick all that apply.' : 'Pick one.'}
      </p>
      <div className="quiz-choices">
        {choices.map((choice) => {
          const isPicked = picked.includes(choice.id)
          const words = verdict && said(isPicked, verdict.correct.includes(choice.id))
          return (
            <label key={choice.id} className="quiz-choice" data-said={words?.tone}>
              <input
                type={many ? 'checkbox' : 'radio'}
                name={id}
                checked={isPicked}
                onChange={({ target }) => pick(choice.id, target.checked)}
              />
              <bdi>{choice.text}</bdi>
              {words?.text && <span className="quiz-tag">{words.text}</span>}
            </label>
          )
        })}
      </div>
      {verdict && (
        <div className="quiz-verdict" data-right={verdict.right || undefined}>
          <p>
            <Icon name={verdict.right ? 'check' : 'close'} />
            {verdict.right ? 'Right' : 'Wrong'}
          </p>
          {verdict.explanation && <p className="quiz-explanation">{verdict.explanation}</p>}
        </div>
      )}
    </fieldset>
  )
}
