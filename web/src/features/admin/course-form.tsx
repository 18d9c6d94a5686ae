import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Button } from '@/ui/button'
import { Field, Input, Select, Textarea } from '@/ui/field'
import { toast } from '@/ui/toast'
import { type CourseInput, type CourseValues, courseSchema, levels } from './course-schema'
import { PictureField, type PictureState } from './picture-field'
import { Preview } from './preview'

type CourseFormProps = {
  label: string
  values: CourseInput
  categories: readonly string[]
  action: string
  onSave: (course: CourseValues) => Promise<unknown>
  onCancel: () => void
  /** Hears whether something was written that is not saved. */
  onDirty?: (isDirty: boolean) => void
  /** Whether what was saved makes room for the next. */
  isForMore?: boolean
  /** Whether its lessons are those of its curriculum. */
  isCounted?: boolean
  /** What saving would set off, of a course that is about to launch. */
  note?: (values: CourseInput) => ReactNode
}

/** What only the page of a course tells; a part that is empty does not show there. */
const story = [
  ['learn', 'What you will learn', 'One thing a line'],
  ['audience', 'Who it is for', ''],
  ['outcome', 'What you make', ''],
  ['instructor_bio', 'Biography', 'Two sentences on who teaches it'],
] as const

/** All that is to be said about a course: for a new one and for one that changes. */
export function CourseForm(props: CourseFormProps) {
  const { label, values, categories, action, onSave, onCancel, onDirty, isForMore, isCounted, note } = props
  const form = useForm<CourseInput, unknown, CourseValues>({
    resolver: zodResolver(courseSchema),
    defaultValues: values,
  })
  const { errors, isSubmitting, isDirty } = form.formState
  const [picture, setPicture] = useState<PictureState>({ at: 'idle' })
  const isSending = picture.at === 'sending'
  useEffect(() => {
    onDirty?.(isDirty || isSending)
    return () => onDirty?.(false)
  }, [isDirty, isSending, onDirty])
  const now = useWatch({ control: form.control }) as CourseInput
  const error = (name: keyof CourseInput) => errors[name]?.message
  // A picture that is on its way is not missing, and one that was refused says more than that it is.
  const pictureError = picture.at === 'failed' ? picture.why : isSending ? undefined : error('thumbnail')
  const submit = form.handleSubmit(
    // What was refused stays to be corrected.
    (course) =>
      onSave(course).then(
        () => {
          if (!isForMore) return
          form.reset(values)
          setPicture({ at: 'idle' })
          form.setFocus('title')
        },
        () => undefined,
      ),
    (found) => {
      const messages = Object.values(found).map((one) => one?.message)
      toast.error(messages.includes('Required') ? 'Please fill in all required fields' : String(messages[0]))
    },
  )
  const typed = { autoComplete: 'off', required: true, dir: 'auto' } as const
  return (
    <form
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        if (!isSubmitting && !isSending) return submit(event)
        event.preventDefault()
        if (isSending) toast.error('The picture is still uploading.')
        return undefined
      }}
      className="grid gap-x-8 gap-y-5 lg:grid-cols-[1fr_280px]"
    >
      <div className="grid grid-cols-2 gap-4 md:grid-cols-4">
        <Field label="Title" error={error('title')} className="col-span-2">
          {(wiring) => <Input {...wiring} {...form.register('title')} {...typed} />}
        </Field>
        <Field label="Instructor" error={error('instructor')} className="col-span-2">
          {(wiring) => <Input {...wiring} {...form.register('instructor')} {...typed} />}
        </Field>
        <Field label="Category" error={error('category')} className="col-span-2">
          {(wiring) => (
            <Select {...wiring} {...form.register('category')}>
              {categories.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Level" error={error('level')}>
          {(wiring) => (
            <Select {...wiring} {...form.register('level')}>
              {levels.map((level) => (
                <option key={level}>{level}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Duration" error={error('duration')}>
          {(wiring) => <Input {...wiring} {...form.register('duration')} {...typed} placeholder="8 weeks" />}
        </Field>
        {isCounted ? (
          <div className="grid content-start gap-1.5">
            <p className="text-meta font-medium">Lessons</p>
            <p className="flex min-h-11 items-center text-meta text-muted">Counted from the curriculum</p>
          </div>
        ) : (
          <Field label="Lessons" error={error('lessons')}>
            {(wiring) => (
              <Input {...wiring} {...form.register('lessons')} {...typed} type="number" min={0} max={10_000} step={1} />
            )}
          </Field>
        )}
        <Field label="Rating" error={error('rating')}>
          {(wiring) => (
            <Input {...wiring} {...form.register('rating')} {...typed} type="number" min={0} max={5} step={0.1} />
          )}
        </Field>
        <Field label="Thumbnail" error={pictureError} className="col-span-2">
          {(wiring) => (
            <PictureField
              value={now.thumbnail}
              state={picture}
              onState={setPicture}
              onUploaded={(address) =>
                form.setValue('thumbnail', address, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
              }
            >
              <Input
                {...wiring}
                {...form.register('thumbnail', { onChange: () => !isSending && setPicture({ at: 'idle' }) })}
                {...typed}
                dir="ltr"
                placeholder="https://… or /art/…"
              />
            </PictureField>
          )}
        </Field>
        <Field label="Description" error={error('description')} className="col-span-full">
          {(wiring) => <Textarea {...wiring} {...form.register('description')} {...typed} rows={4} />}
        </Field>
        <details className="group/story col-span-full rounded-control border border-hairline px-4">
          <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-2 py-2 font-medium">
            The course page
            <span className="font-normal text-muted">optional: what you learn and make, for whom, who teaches</span>
          </summary>
          <div className="grid gap-4 pt-2 pb-5 md:grid-cols-2">
            {story.map(([name, label, hint]) => (
              <Field key={name} label={label} optional error={error(name)}>
                {(wiring) => (
                  <Textarea
                    {...wiring}
                    {...form.register(name)}
                    rows={4}
                    dir="auto"
                    autoComplete="off"
                    placeholder={hint}
                  />
                )}
              </Field>
            ))}
          </div>
        </details>
        <label className="col-span-2 flex min-h-11 items-center gap-3 self-end">
          <input type="checkbox" {...form.register('coming_soon')} className="size-5 accent-accent" />
          <span className="font-medium">Coming soon</span>
        </label>
        {now.coming_soon && (
          <Field label="Launch date" optional error={error('launch_at')} className="col-span-2">
            {(wiring) => <Input {...wiring} {...form.register('launch_at')} type="datetime-local" />}
          </Field>
        )}
      </div>
      <Preview course={now} />
      <div className="flex flex-wrap items-center gap-3 lg:col-span-full">
        {/* Disabled, it would lose the focus of whoever pressed it by keyboard. */}
        <Button type="submit" look="primary" aria-disabled={isSubmitting}>
          {isSubmitting ? 'Saving...' : action}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          Cancel
        </Button>
        {note?.(now)}
      </div>
    </form>
  )
}
