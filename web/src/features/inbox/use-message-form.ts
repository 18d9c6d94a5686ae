import { zodResolver } from '@hookform/resolvers/zod'
import type { Session } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type FieldValues, type Path, type PathValue, useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import type { z } from 'zod/v3'
import { BackendError } from '@/lib/backend'
import { clearDraft, readDraft, saveDraft } from '@/lib/draft'
import { rememberWanted } from '@/lib/memory'
import { useOwnFields } from '@/lib/own-fields'
import { auth, knownSession } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
import { useHydrated } from '@/startup/hydrated'
import { toast } from '@/ui/toast'

export type Texts = FieldValues & Record<string, string>

export type FieldSpec<Values> = {
  name: keyof Values & string
  label: string
  type?: 'text' | 'email' | 'tel'
  /** Makes it a text area of so many rows. */
  rows?: number
  /** Half a line on large screens. */
  half?: boolean
  optional?: boolean
  autoComplete?: string
  placeholder?: string
  /** The most characters; how many are used shows when they become few. */
  limit?: number
}

export type FormSpec<Values extends Texts> = {
  label: string
  /** The name that what was typed is remembered under. */
  draft: string
  schema: z.ZodType<Values, z.ZodTypeDef, Values>
  blank: Values
  fields: readonly FieldSpec<Values>[]
  button: { idle: string; busy: string }
  /** Lets the browser say what is missing. */
  native?: boolean
  /** Said when a required field is empty, in place of the first error. */
  missing?: string
  /** Said to who is not signed in, before they are sent to sign in; without it anybody may send. */
  signIn?: string
  send: (values: Values, session: Session | null) => Promise<void>
  sent: string
  failed: string
  /** Says what the server said where it said something. */
  showsRefusal?: boolean
}

/** A form faster than this was not filled in by a person. */
const fastest = 1500

class SignInNeeded extends Error {}
class NotAPerson extends Error {}

export type MessageFormState<Values extends Texts> = ReturnType<typeof useMessageForm<Values>>

export function useMessageForm<Values extends Texts>(spec: FormSpec<Values>) {
  // No default values: they would overwrite what was typed before the app had started.
  const form = useForm<Values>({ resolver: zodResolver<Values, unknown, Values>(spec.schema) })
  const started = useHydrated()
  const decoy = useRef<HTMLInputElement>(null)
  const openedAt = useRef(0)
  const goToSignIn = useGoToSignIn()
  useEffect(() => {
    openedAt.current = Date.now()
  }, [])
  useRemembered(spec, form)
  useOwnFields(form, 'email' as Path<Values>)

  const sending = useMutation({
    mutationFn: async (values: Values) => {
      if (decoy.current?.value) throw new NotAPerson()
      const wait = openedAt.current + fastest - Date.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      const known = await knownSession()
      // To everything that reaches other people a guest is a stranger.
      const session = known?.user.is_anonymous ? null : known
      if (spec.signIn && !session) throw new SignInNeeded()
      await spec.send(values, session).catch(async (error) => {
        if (!session || !(error instanceof BackendError) || error.status !== 401) throw error
        // A session that the server no longer knows is none: it goes, so that the next try can work.
        await (await auth()).signOut({ scope: 'local' })
        throw spec.signIn ? new SignInNeeded() : error
      })
    },
    onSuccess: () => {
      form.reset({ ...spec.blank, email: form.getValues('email' as Path<Values>) })
      clearDraft(spec.draft)
      toast.success(spec.sent)
    },
    onError: (error) => {
      saveDraft(spec.draft, form.getValues())
      if (error instanceof SignInNeeded) return goToSignIn(spec.signIn ?? '')
      // A person whose browser filled it in by itself gets through the second time.
      if (decoy.current) decoy.current.value = ''
      const said = spec.showsRefusal && error instanceof BackendError && error.status > 0 ? error.message : ''
      toast.error(said || spec.failed, waitAdvice(error))
    },
  })

  const submit = form.handleSubmit(
    (values) => sending.mutateAsync(values).catch(() => undefined),
    (errors) => {
      const values = form.getValues()
      const empty = spec.fields.some(({ name, optional }) => !optional && values[name]?.trim() === '')
      const first = spec.fields.map(({ name }) => errors[name]?.message).find((message) => message !== undefined)
      toast.error(spec.missing && empty ? spec.missing : String(first ?? spec.failed))
    },
  )
  const { errors } = form.formState
  return {
    form,
    submit,
    decoy,
    busy: sending.isPending,
    // Before that, the browser would send the form by itself, into the address.
    disabled: sending.isPending || !started,
    errorOf: (name: keyof Values & string) => errors[name]?.message as string | undefined,
  }
}

/** Says why, and goes to sign in; this page is where the visitor comes back to. */
export function useGoToSignIn() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (why: string, options: { replace?: boolean } = {}) => {
    toast.error(why)
    rememberWanted(pathname + search)
    void navigate('/auth', options)
  }
}

type Form<Values extends Texts> = ReturnType<typeof useForm<Values>>

/** Keeps what is typed for the way to /auth and back. */
function useRemembered<Values extends Texts>({ draft, blank }: FormSpec<Values>, form: Form<Values>) {
  const blankValues = useRef(blank)
  useEffect(() => {
    for (const [name, value] of Object.entries(readDraft(draft) ?? {})) {
      const field = name as Path<Values>
      if (name in blankValues.current && typeof value === 'string' && !form.getValues(field))
        form.setValue(field, value as PathValue<Values, Path<Values>>)
    }
    const watching = form.watch((values) => saveDraft(draft, values))
    return () => watching.unsubscribe()
  }, [draft, form])
}
