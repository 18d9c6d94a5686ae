import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { Input } from '@/ui/field'
import { IconButton } from '@/ui/icon-button'
import { type DraftChoice, type DraftQuestion, marked, mostChoices, moved, newChoice } from './draft'
import { Movers } from './movers'

type ChoiceRowsProps = {
  question: DraftQuestion
  number: number
  mayEdit: boolean
  onChange: (next: DraftQuestion, focus?: string) => void
}

const field = ({ id }: DraftChoice) => `[data-choice="${id}"]`

/** The choices of a question, each with a mark for being right. */
export function ChoiceRows({ question, number, mayEdit, onChange }: ChoiceRowsProps) {
  const { id, many, choices } = question
  const put = (next: DraftChoice[], focus = '') => onChange({ ...question, choices: next }, focus)
  const add = (at: number) => {
    if (choices.length >= mostChoices) return
    const choice = newChoice()
    put(choices.toSpliced(at, 0, choice), field(choice))
  }
  const remove = (at: number) => {
    const near = choices[at + 1] ?? choices[at - 1]
    put(choices.toSpliced(at, 1), near ? field(near) : `[data-more="${id}"]`)
  }
  return (
    <fieldset disabled={!mayEdit} className="min-w-0">
      <legend className="text-meta font-medium">
        Choices <span className="font-normal text-muted">(mark what is right)</span>
      </legend>
      <ul className="mt-2 grid gap-2">
        {choices.map((choice, at) => {
          const name = `choice ${at + 1} of question ${number}`
          return (
            <li key={choice.id} className="flex flex-wrap items-center gap-x-1">
              <label className="flex size-11 shrink-0 cursor-pointer items-center justify-center">
                <input
                  type={many ? 'checkbox' : 'radio'}
                  name={`right-${id}`}
                  aria-label={`Right: ${name}`}
                  checked={choice.correct}
                  onChange={({ target }) => onChange(marked(question, choice.id, target.checked))}
                  className="size-5 accent-(--color-success)"
                />
              </label>
              <Input
                data-choice={choice.id}
                aria-label={`Text of ${name}`}
                value={choice.text}
                maxLength={500}
                dir="auto"
                autoComplete="off"
                className="min-w-0 flex-1"
                onChange={({ target }) => put(choices.with(at, { ...choice, text: target.value }))}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                  event.preventDefault()
                  const next = choices[at + 1]
                  // A row that still waits for its words is the next one.
                  if (next?.text.trim() === '')
                    event.currentTarget.closest('ul')?.querySelector<HTMLElement>(field(next))?.focus()
                  else add(at + 1)
                }}
              />
              {mayEdit && (
                <span className="flex max-sm:w-full max-sm:justify-end">
                  <Movers
                    id={choice.id}
                    name={name}
                    isFirst={at === 0}
                    isLast={at === choices.length - 1}
                    onMove={(step) => put(moved(choices, at, step), `[data-mover="${choice.id}:${step}"]`)}
                  />
                  <IconButton label={`Remove ${name}`} className="text-muted" onClick={() => remove(at)}>
                    <Icon name="close" />
                  </IconButton>
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {mayEdit && choices.length < mostChoices && (
        <Button
          data-more={id}
          look="ghost"
          aria-label={`Add choice to question ${number}`}
          className="mt-2"
          onClick={() => add(choices.length)}
        >
          <Icon name="plus" />
          Add choice
        </Button>
      )}
    </fieldset>
  )
}
