import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/v3'
import { orThrow, rest } from '@/lib/backend'
import { keys } from '@/lib/keys'
import { readAnew } from '@/lib/query'
import type { Workshop } from '@/lib/rows'
import { Button } from '@/ui/button'
import { Field, Input, Textarea } from '@/ui/field'
import { toast } from '@/ui/toast'
import { useUnsaved } from '@/ui/unsaved'
import { refusalOr } from './course-api'
import { localMoment } from './course-schema'
import { useAdminKey } from './pages'

const text = (most: number) => z.string().trim().min(1, 'Required').max(most)
const number = (least: number, most: number) =>
  z.string().trim().min(1, 'Required').transform(Number).pipe(z.number().int('A whole number').min(least).max(most))

const schema = z.object({
  title: text(200),
  host: text(200),
  about: text(5000),
  learn: text(5000),
  date_text: text(200),
  time_text: text(200),
  duration_minutes: number(1, 1440),
  spots: number(0, 100_000),
  starts_at: z.string().transform((local) => (local === '' ? null : new Date(local).toISOString())),
})

type Entered = z.input<typeof schema>
type Values = z.output<typeof schema>

const inputOf = (workshop: Workshop): Entered => ({
  title: workshop.title,
  host: workshop.host,
  about: workshop.about,
  learn: workshop.learn,
  date_text: workshop.date_text,
  time_text: workshop.time_text,
  duration_minutes: String(workshop.duration_minutes),
  spots: String(workshop.spots),
  starts_at: localMoment(workshop.starts_at),
})

function useSave(id: string) {
  const admin = useAdminKey()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (values: Values) => {
      orThrow(await (await rest()).from('workshops').update(values).eq('id', id))
    },
    onSuccess: () => {
      toast.success('Workshop updated successfully')
      // New spots go to those who wait.
      void readAnew(client, keys.table('workshops'), admin)
    },
    onError: (error) => toast.error(refusalOr(error, 'Failed to update the workshop')),
  })
}

export function WorkshopForm({ workshop }: { workshop: Workshop }) {
  const form = useForm<Entered, unknown, Values>({ resolver: zodResolver(schema), values: inputOf(workshop) })
  const { errors, isDirty } = form.formState
  const [, question] = useUnsaved(isDirty, 'Discard these changes?')
  const save = useSave(workshop.id)
  const submit = form.handleSubmit(
    (values) => save.mutateAsync(values).catch(() => undefined),
    (found) => {
      const messages = Object.values(found).map((one) => one?.message)
      toast.error(messages.includes('Required') ? 'Please fill in all required fields' : String(messages[0]))
    },
  )
  const typed = { autoComplete: 'off', required: true, dir: 'auto' } as const
  const error = (name: keyof Entered) => errors[name]?.message
  return (
    <form noValidate aria-label="Workshop" onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
      {question}
      <Field label="Title" error={error('title')} className="sm:col-span-2">
        {(wiring) => <Input {...wiring} {...form.register('title')} {...typed} />}
      </Field>
      <Field label="Host" error={error('host')} className="sm:col-span-2">
        {(wiring) => <Input {...wiring} {...form.register('host')} {...typed} />}
      </Field>
      <Field label="Date" hint="As visitors see it" error={error('date_text')}>
        {(wiring) => <Input {...wiring} {...form.register('date_text')} {...typed} />}
      </Field>
      <Field label="Time" hint="As visitors see it" error={error('time_text')}>
        {(wiring) => <Input {...wiring} {...form.register('time_text')} {...typed} />}
      </Field>
      <Field label="Minutes" error={error('duration_minutes')}>
        {(wiring) => (
          <Input {...wiring} {...form.register('duration_minutes')} {...typed} type="number" min={1} max={1440} />
        )}
      </Field>
      <Field label="Exact start" optional error={error('starts_at')}>
        {(wiring) => <Input {...wiring} {...form.register('starts_at')} type="datetime-local" />}
      </Field>
      <Field label="About" error={error('about')} className="sm:col-span-2">
        {(wiring) => <Textarea {...wiring} {...form.register('about')} {...typed} rows={4} />}
      </Field>
      <Field label="What you will learn" hint="One line each" error={error('learn')} className="sm:col-span-2">
        {(wiring) => <Textarea {...wiring} {...form.register('learn')} {...typed} rows={5} />}
      </Field>
      <Field label="Spots" hint="New spots go to whoever has waited longest" error={error('spots')}>
        {(wiring) => <Input {...wiring} {...form.register('spots')} {...typed} type="number" min={0} max={100_000} />}
      </Field>
      <div className="sm:col-span-2">
        <Button type="submit" look="primary" disabled={save.isPending || !isDirty}>
          {save.isPending ? 'Saving...' : 'Save Workshop'}
        </Button>
      </div>
    </form>
  )
}
