import { Icon } from '@/ui/all-icons'
import { Confirm } from '@/ui/confirm'
import { Field, Textarea } from '@/ui/field'
import { IconButton } from '@/ui/icon-button'
import { ChoiceRows } from './choice-rows'
import { type DraftQuestion, taking } from './draft'
import { Movers } from './movers'

type QuestionCardProps = {
  question: DraftQuestion
  number: number
  count: number
  mayEdit: boolean
  /** `focus` is where the keys go on. */
  onChange: (next: DraftQuestion, focus?: string) => void
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

const takes = [
  [false, 'One answer'],
  [true, 'Several answers'],
] as const

/** A question as its writer sees it, with the key. */
export function QuestionCard({ question, number, count, mayEdit, onChange, onMove, onRemove }: QuestionCardProps) {
  const { id, prompt, many, explanation, choices } = question
  const name = `question ${number}`
  const isBlank = [prompt, explanation, ...choices.map(({ text }) => text)].every((text) => text.trim() === '')
  const trash = (
    <IconButton label={`Remove ${name}`} className="text-muted" onClick={isBlank ? onRemove : undefined}>
      <Icon name="trash" />
    </IconButton>
  )
  return (
    <section
      aria-label={`Question ${number}`}
      className="rounded-card border border-hairline bg-surface-1 px-4 pt-2 pb-5 sm:px-6"
    >
      <div className="flex min-h-11 items-center justify-between gap-2">
        <h2 className="font-semibold">{`Question ${number}`}</h2>
        {mayEdit && (
          <span className="-mr-2 flex">
            <Movers id={id} name={name} isFirst={number === 1} isLast={number === count} onMove={onMove} />
            {isBlank ? (
              trash
            ) : (
              <Confirm
                trigger={trash}
                question={`Remove ${name}?`}
                detail="Its choices and its explanation go with it. This can’t be undone."
                action="Remove"
                onConfirm={onRemove}
              />
            )}
          </span>
        )}
      </div>
      <div className="mt-2 grid gap-5">
        <Field label="What you ask">
          {(wiring) => (
            <Textarea
              {...wiring}
              data-prompt={id}
              value={prompt}
              readOnly={!mayEdit}
              rows={2}
              maxLength={1000}
              dir="auto"
              className="field-sizing-content min-h-18! resize-none!"
              onChange={({ target }) => onChange({ ...question, prompt: target.value })}
            />
          )}
        </Field>
        <fieldset disabled={!mayEdit} className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <legend className="sr-only">{`Answers to ${name}`}</legend>
          <div className="flex h-11 rounded-control border border-control p-0.5">
            {takes.map(([value, label]) => (
              <label
                key={label}
                className="flex cursor-pointer items-center rounded-[6px] px-3.5 text-meta font-medium text-muted has-checked:bg-surface-3 has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:outline-ring"
              >
                <input
                  type="radio"
                  name={`takes-${id}`}
                  checked={many === value}
                  onChange={() => onChange(taking(question, value))}
                  className="sr-only"
                />
                {label}
              </label>
            ))}
          </div>
          <p className="text-meta text-muted">
            {many ? 'Right when exactly the marked choices are picked.' : 'Right when the marked choice is picked.'}
          </p>
        </fieldset>
        <ChoiceRows question={question} number={number} mayEdit={mayEdit} onChange={onChange} />
        <Field label="Explanation" optional hint="Learners see it after they have answered.">
          {(wiring) => (
            <Textarea
              {...wiring}
              value={explanation}
              readOnly={!mayEdit}
              rows={2}
              maxLength={2000}
              dir="auto"
              className="field-sizing-content min-h-18! resize-none!"
              onChange={({ target }) => onChange({ ...question, explanation: target.value })}
            />
          )}
        </Field>
      </div>
    </section>
  )
}
