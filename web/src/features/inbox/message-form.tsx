import { type Path, useWatch } from 'react-hook-form'
import { useLocation } from 'react-router'
import { rememberWanted } from '@/lib/memory'
import { useSession } from '@/lib/session'
import { useHydrated } from '@/startup/hydrated'
import { Button } from '@/ui/button'
import { DecoyField } from '@/ui/decoy-field'
import { Field, Input, Textarea } from '@/ui/field'
import { Link } from '@/ui/link'
import { type FieldSpec, type FormSpec, type MessageFormState, type Texts, useMessageForm } from './use-message-form'

/** A form that sends one message, made from its description. */
export function MessageForm<Values extends Texts>({ spec }: { spec: FormSpec<Values> }) {
  const state = useMessageForm(spec)
  return (
    <form
      noValidate={!spec.native}
      onSubmit={state.submit}
      aria-label={spec.label}
      className="relative grid gap-5 rounded-card border border-hairline bg-surface-1 p-5 sm:grid-cols-2 sm:gap-x-4 sm:p-8"
    >
      {spec.signIn && <SenderNote />}
      {spec.fields.map((field) => (
        <MessageField key={field.name} field={field} state={state} />
      ))}
      <DecoyField ref={state.decoy} name="reference_url" />
      <Button
        type="submit"
        look="accent"
        size="large"
        disabled={state.disabled}
        className="sm:col-span-2 sm:justify-self-start"
      >
        {state.busy ? spec.button.busy : spec.button.idle}
      </Button>
    </form>
  )
}

/**
 * What it takes to send, said before anything is written: to strangers, for whom the server draws it too. Who is signed in
 * sees in its place as whom they write.
 */
function SenderNote() {
  const { status, session } = useSession()
  const isShown = !useHydrated() || status === 'anonymous'
  const { pathname } = useLocation()
  return (
    <p className="relative text-meta text-muted sm:col-span-2">
      <span className={isShown ? '' : 'invisible'}>
        You’ll need to sign in to send this.{' '}
        <Link
          to="/auth"
          onClick={() => rememberWanted(pathname)}
          className="font-medium text-foreground underline underline-offset-4"
        >
          Sign in
        </Link>{' '}
        now, or write first. We’ll keep your text.
      </span>
      {session && <span className="absolute inset-0 truncate">Signed in as {session.user.email}</span>}
    </p>
  )
}

type MessageFieldProps<Values extends Texts> = { field: FieldSpec<Values>; state: MessageFormState<Values> }

function MessageField<Values extends Texts>({ field, state }: MessageFieldProps<Values>) {
  const { form } = state
  const text = useWatch({ control: form.control, name: field.name as Path<Values> }) as string | undefined
  const shown = {
    ...form.register(field.name as Path<Values>),
    required: !field.optional,
    autoComplete: field.autoComplete ?? 'off',
    placeholder: field.placeholder,
    // Any script of the world may be typed: the first strong letter decides the direction.
    dir: 'auto',
  }
  return (
    <Field
      label={field.label}
      optional={field.optional ?? false}
      error={state.errorOf(field.name)}
      hint={roomLeft(text ?? '', field.limit)}
      className={field.half ? '' : 'sm:col-span-2'}
    >
      {(wiring) =>
        field.rows ? (
          <Textarea {...wiring} {...shown} rows={field.rows} />
        ) : (
          <Input {...wiring} {...shown} type={field.type ?? 'text'} />
        )
      }
    </Field>
  )
}

/** How much of the room is used, once most of it is. */
function roomLeft(text: string, limit: number | undefined) {
  const used = [...text].length
  if (!limit || used < limit * 0.8) return null
  return (
    <span className={used > limit ? 'text-danger tabular-nums' : 'tabular-nums'}>
      {used} of {limit} characters
    </span>
  )
}
