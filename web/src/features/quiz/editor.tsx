import { useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { type DraftQuestion, mostQuestions, moved, newQuestion, questionsIn, textOf } from './draft'
import { QuestionCard } from './question-card'

type QuizEditorProps = { text: string; mayEdit: boolean; onText: (text: string) => void }

/** The questions of a quiz in the making. */
export function QuizEditor({ text, mayEdit, onText }: QuizEditorProps) {
  const questions = questionsIn(text)
  const [said, setSaid] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const wanted = useRef('')
  // What has the focus follows what was done, once it stands.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the new order stands
  useLayoutEffect(() => {
    if (wanted.current === '') return
    box.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = ''
  }, [text])
  const change = (next: readonly DraftQuestion[], focus = '') => {
    wanted.current = focus
    onText(textOf(next))
  }
  const add = () => {
    const question = newQuestion()
    change([...questions, question], `[data-prompt="${question.id}"]`)
  }
  const move = (index: number, step: -1 | 1) => {
    const { id } = questions[index] as DraftQuestion
    setSaid(`Question ${index + 1} is now number ${index + 1 + step} of ${questions.length}`)
    change(moved(questions, index, step), `[data-mover="${id}:${step}"]`)
  }
  const remove = (index: number) => {
    const near = questions[index + 1] ?? questions[index - 1]
    setSaid(`Question ${index + 1} removed`)
    change(questions.toSpliced(index, 1), near ? `[data-prompt="${near.id}"]` : '[data-add]')
  }
  return (
    <div ref={box} className="grid gap-4">
      <p role="status" className="sr-only">
        {said}
      </p>
      {questions.length === 0 && (
        <p className="px-1 text-muted">
          {mayEdit
            ? 'Learners pass with 80% and can try as often as they like. Begin with a question.'
            : 'This quiz has no questions yet.'}
        </p>
      )}
      {questions.map((question, index) => (
        <QuestionCard
          key={question.id}
          question={question}
          number={index + 1}
          count={questions.length}
          mayEdit={mayEdit}
          onChange={(next, focus) => change(questions.with(index, next), focus)}
          onMove={(step) => move(index, step)}
          onRemove={() => remove(index)}
        />
      ))}
      {mayEdit && questions.length < mostQuestions && (
        <div>
          <Button data-add look={questions.length === 0 ? 'accent' : 'secondary'} onClick={add}>
            <Icon name="plus" />
            Add question
          </Button>
        </div>
      )}
    </div>
  )
}
