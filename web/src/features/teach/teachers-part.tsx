import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { orThrow, rest } from '@/lib/backend'
import { call } from '@/lib/functions'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { Field, Input } from '@/ui/field'
import { toast } from '@/ui/toast'
import { refusalOr, useTeachKey } from './api'
import { Part, Switch } from './parts'

type Teacher = { id: string; shown_name: string; email: string; may_edit: boolean }

function useTeachers(course: string) {
  const key = [...useTeachKey(), 'teachers', course]
  const client = useQueryClient()
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call<Teacher[]>('teachers', { course }, signal),
    staleTime: 0,
  })
  /** Does something with the list, and reads it again. */
  const change = useMutation({
    mutationFn: ({ work }: { work: () => Promise<unknown>; said: string }) => work(),
    onSuccess: (_, { said }) => {
      if (said) toast.success(said)
    },
    onError: (error) => toast.error(refusalOr(error, 'Failed to save the change. Please try again.')),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
  return { query, change }
}

const table = async () => (await rest()).from('course_teachers')

/** Who teaches a course, by an admin's word. */
export function TeachersPart({ course }: { course: string }) {
  const { query, change } = useTeachers(course)
  const teachers = query.data ?? []
  return (
    <Part
      title="Teachers"
      lead="Teachers see the drafts and learners of this course. Those who may edit also change it."
    >
      {query.isLoadingError ? (
        <p role="alert" className="text-danger">
          The teachers could not be loaded.
        </p>
      ) : (
        query.data &&
        teachers.length === 0 && (
          <p className="mb-4 text-muted">Nobody teaches this course yet. Admins can do everything.</p>
        )
      )}
      <ul aria-label="Teachers" className="divide-y divide-hairline">
        {teachers.map((teacher) => (
          <li key={teacher.id} className="flex flex-wrap items-center gap-x-4 py-1.5">
            <span className="min-w-0">
              <bdi className="block font-medium wrap-anywhere">{teacher.shown_name}</bdi>
              <bdi className="block text-meta wrap-anywhere text-muted">{teacher.email}</bdi>
            </span>
            <span className="ml-auto flex items-center">
              <span aria-hidden="true" className="text-meta text-muted">
                May edit
              </span>
              <Switch
                label={`${teacher.shown_name} may edit`}
                isOn={teacher.may_edit}
                onChange={(may_edit) =>
                  change.mutate({
                    work: async () => orThrow(await (await table()).update({ may_edit }).eq('id', teacher.id)),
                    said: '',
                  })
                }
              />
              <Confirm
                question={`Remove ${teacher.shown_name}?`}
                detail="They can no longer open this course in the studio. What they made stays."
                action="Remove"
                onConfirm={() =>
                  change.mutate({
                    work: async () => orThrow(await (await table()).delete().eq('id', teacher.id)),
                    said: 'Teacher removed',
                  })
                }
                trigger={
                  <Button
                    look="ghost"
                    size="small"
                    aria-label={`Remove ${teacher.shown_name}`}
                    className="hover:text-danger"
                  >
                    Remove
                  </Button>
                }
              />
            </span>
          </li>
        ))}
      </ul>
      <AddTeacher
        onAdd={(teacher) =>
          change.mutateAsync({ work: () => call('add-teacher', { course, ...teacher }), said: 'Teacher added' })
        }
      />
    </Part>
  )
}

type NewTeacher = { email: string; shown_name: string; may_edit: boolean }

function AddTeacher({ onAdd }: { onAdd: (teacher: NewTeacher) => Promise<unknown> }) {
  const [isTried, setTried] = useState(false)
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [mayEdit, setMayEdit] = useState(true)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (email.trim() === '' || name.trim() === '') return
    const isAdded = await onAdd({ email: email.trim(), shown_name: name.trim(), may_edit: mayEdit }).then(
      () => true,
      () => false,
    )
    if (!isAdded) return
    setTried(false)
    setEmail('')
    setName('')
  }
  const missing = (value: string) => (isTried && value.trim() === '' ? 'Required' : undefined)
  return (
    <form
      noValidate
      aria-label="Add a teacher"
      onSubmit={submit}
      className="mt-4 grid items-start gap-4 border-t border-hairline pt-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto_auto]"
    >
      <Field label="Email of the account" error={missing(email)}>
        {(wiring) => (
          <Input
            {...wiring}
            type="email"
            dir="ltr"
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <Field label="Name that learners see" error={missing(name)}>
        {(wiring) => (
          <Input
            {...wiring}
            dir="auto"
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <label className="flex min-h-11 items-center gap-3 sm:mt-6.5">
        <input
          type="checkbox"
          checked={mayEdit}
          onChange={({ target }) => setMayEdit(target.checked)}
          className="size-5 accent-accent"
        />
        May edit
      </label>
      <Button type="submit" className="sm:mt-6.5">
        Add teacher
      </Button>
    </form>
  )
}
