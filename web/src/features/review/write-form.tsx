import { type FormEvent, useRef, useState } from 'react'
import { clearDraft } from '@/lib/draft'
import { useKept } from '@/lib/kept'
import { Button } from '@/ui/button'
import { Field, Textarea } from '@/ui/field'
import type { Review } from './api'
import { useSaveReview } from './calls'
import { StarsField } from './stars'

const most = 2000

type WriteFormProps = {
  course: string /** Where it is kept until it is saved. */
  draft: string
  mine: Review | null
  onDone: () => void
}

/** Stars and words. What was typed stays until it is saved, through failures and reloads. */
export function WriteForm({ course, draft, mine, onDone }: WriteFormProps) {
  const save = useSaveReview(course, mine?.id)
  const kept = useKept(draft, { stars: mine?.stars ?? 0, text: mine?.text ?? '' })
  const { stars, text } = kept.words
  const [isTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const length = Array.from(text).length
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (stars === 0) return form.current?.querySelector<HTMLInputElement>('[name=stars]')?.focus()
    if (length > most) return form.current?.querySelector('textarea')?.focus()
    if (save.isPending) return
    const onSuccess = () => {
      clearDraft(draft)
      onDone()
    }
    save.mutate({ stars, text: text.trim() }, { onSuccess })
  }
  return (
    <form ref={form} noValidate method="post" onSubmit={submit} className="grid gap-5">
      <StarsField
        given={stars}
        onGive={(given) => kept.write({ stars: given, text })}
        error={isTried && stars === 0 ? 'Choose how many stars you give.' : ''}
      />
      <Field
        label="Your review"
        optional
        error={length > most ? `That is ${length - most} characters too long.` : undefined}
        hint="Everyone can read it, under the name on your account."
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            name="text"
            dir="auto"
            value={text}
            onChange={({ target }) => kept.write({ stars, text: target.value })}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" aria-disabled={save.isPending}>
          {save.isPending ? 'Saving...' : mine ? 'Save review' : 'Post review'}
        </Button>
        {mine && (
          <Button
            look="ghost"
            onClick={() => {
              kept.forget()
              onDone()
            }}
          >
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
