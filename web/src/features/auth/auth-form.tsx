import { zodResolver } from '@hookform/resolvers/zod'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { authCode } from '@/lib/auth-call'
import { useHydrated } from '@/startup/hydrated'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { Link } from '@/ui/link'
import { PasswordInput } from '@/ui/password-input'
import {
  type Credentials,
  isRegistered,
  type Mode,
  refusalOf,
  schemaOf,
  useSendResetLink,
  useSignIn,
  useSignUp,
} from './api'

const buttons = {
  'sign-in': ['Sign In', 'Signing in...'],
  'sign-up': ['Sign Up', 'Creating account...'],
  forgot: ['Send Reset Link', 'Sending...'],
} as const

// Who signs in may be offered a passkey where the address stands.
const autoCompletes = { 'sign-in': 'username webauthn', 'sign-up': 'username', forgot: 'email' } as const

/** What the form leaves behind for the screen to say. */
export type Outcome = { kind: 'link-sent' | 'unconfirmed'; email: string }

/** The address that stands in the form; without a good one the form says so. */
export type AddressOf = () => Promise<string | null>

type AuthFormProps = {
  mode: Mode
  onMode: (mode: Mode) => void
  onForgot: () => void
  onOutcome: (outcome: Outcome | null) => void
  address?: Ref<AddressOf>
  /** What was typed before the form went away. */
  email?: string
}

export function AuthForm({ mode, onMode, onForgot, onOutcome, address, email = '' }: AuthFormProps) {
  // No default values: they would overwrite what was typed or filled in before the app had started.
  const form = useForm<Credentials>({
    resolver: zodResolver(schemaOf(mode)),
    ...(email && { defaultValues: { email } }),
  })
  const started = useHydrated()
  const { errors, isSubmitting } = form.formState
  const signIn = useSignIn()
  const signUp = useSignUp()
  const sendLink = useSendResetLink()

  useImperativeHandle(
    address,
    () => async () => {
      form.clearErrors()
      const isGood = await form.trigger('email', { shouldFocus: true })
      return isGood ? form.getValues('email').trim() : null
    },
    [form],
  )

  // One form for all modes: what was typed stays, what was said of it goes.
  const shown = useRef(mode)
  useEffect(() => {
    if (shown.current === mode) return
    shown.current = mode
    form.clearErrors()
    form.setFocus(mode !== 'forgot' && form.getValues('email') ? 'password' : 'email')
  }, [mode, form])

  const verbs = {
    'sign-in': (values: Credentials) => signIn.mutateAsync(values),
    'sign-up': async (values: Credentials) => {
      await signUp.mutateAsync(values)
      form.setValue('password', '')
      onMode('sign-in')
    },
    forgot: async ({ email }: Credentials) => {
      await sendLink.mutateAsync(email)
      onOutcome({ kind: 'link-sent', email })
    },
  }

  const onRefusal = (error: unknown, { email }: Credentials) => {
    const found = refusalOf(error)
    if (found) form.setError(found.field, { message: found.text }, { shouldFocus: true })
    else if (isRegistered(error)) onMode('sign-in')
    else if (authCode(error) === 'email_not_confirmed') onOutcome({ kind: 'unconfirmed', email })
    else form.setFocus(mode === 'forgot' ? 'email' : 'password', { shouldSelect: true })
  }

  const submit = form.handleSubmit((values) => {
    onOutcome(null)
    return verbs[mode](values).catch((error: unknown) => onRefusal(error, values))
  })

  const [label, busy] = buttons[mode]
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5">
      <Field label="Email" error={errors.email?.message}>
        {(wiring) => (
          <Input
            {...wiring}
            {...form.register('email')}
            type="email"
            required
            autoComplete={autoCompletes[mode]}
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="you@example.com"
            className="h-12"
          />
        )}
      </Field>
      {mode !== 'forgot' && (
        <div className="relative">
          <Field
            label="Password"
            error={errors.password?.message}
            hint={mode === 'sign-up' ? 'At least 10 characters' : undefined}
          >
            {(wiring) => (
              <PasswordInput
                {...wiring}
                {...form.register('password')}
                required
                minLength={6}
                autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
                className="h-12"
              />
            )}
          </Field>
          {mode === 'sign-in' && (
            <Link
              to="/auth"
              replace
              onClick={(event) => {
                event.preventDefault()
                form.setValue('password', '')
                onForgot()
              }}
              className="absolute -top-3 right-0 inline-flex min-h-11 items-center text-meta text-muted underline-offset-4 hover:text-foreground hover:underline"
            >
              Forgot password?
            </Link>
          )}
        </div>
      )}
      <Button type="submit" look="accent" size="large" disabled={isSubmitting || !started} className="mt-1">
        {isSubmitting ? busy : label}
      </Button>
    </form>
  )
}
