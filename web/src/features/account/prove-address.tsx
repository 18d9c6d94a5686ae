import type { Session } from '@supabase/auth-js'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/code-field'
import { Dialog } from '@/ui/dialog'
import { Field } from '@/ui/field'
import { PasswordInput } from '@/ui/password-input'
import { Section } from '@/ui/section'
import { refusalOf, useMailCode, useProve, useStanding } from './proof'

/** Does something once the address is known to be its owner's, or the owner has said that it can wait. */
export type First = (then: () => void) => Promise<void>

/** What asks for the proof before a new way in, and says while it is missing. */
export function useProofFirst({ user: { id, email = '' } }: Session): {
  first: First
  /** Asks for the proof for its own sake. */
  confirm: () => void
  dialog: ReactNode
} {
  const { data: standing, refetch } = useStanding(id)
  const [then, setThen] = useState<(() => void) | null>(null)
  const [isAlone, setAlone] = useState(false)
  const ask = (next: () => void, alone: boolean) => {
    setAlone(alone)
    setThen(() => next)
  }
  const goOn = () => {
    setThen(null)
    then?.()
  }
  return {
    first: async (next) => {
      // Where it cannot be known, nobody is kept waiting for it.
      const known = standing ?? (await refetch({ cancelRefetch: false })).data
      if (known?.proven === false && email) ask(next, false)
      else next()
    },
    confirm: () => ask(() => undefined, true),
    dialog: (
      <Dialog
        open={then !== null}
        onOpenChange={(open) => !open && setThen(null)}
        title={isAlone ? 'Confirm your email' : 'First, confirm your email'}
        description={`Anyone can sign up with someone else’s email. Until you confirm that ${email} is yours, resetting your password removes two-step verification and connected accounts from your account.`}
      >
        {standing?.password ? <ProofForm user={id} email={email} onProven={goOn} /> : <NoPassword />}
        {!isAlone && (
          <button
            type="button"
            onClick={goOn}
            className="mt-2 min-h-11 text-meta font-medium underline underline-offset-4"
          >
            Continue without confirming
          </button>
        )}
      </Dialog>
    ),
  }
}

/** Says in the settings that the address is not confirmed yet, and offers to. */
export function AddressSection({ session, onConfirm }: { session: Session; onConfirm: () => void }) {
  const { data: standing } = useStanding(session.user.id)
  if (standing?.proven !== false || !session.user.email) return null
  return (
    <Section title="Email" lead={`You haven’t confirmed yet that ${session.user.email} is yours.`}>
      <Button onClick={onConfirm}>Confirm my email</Button>
    </Section>
  )
}

const NoPassword = () => (
  <p className="text-muted">
    Your account has no password. Choose one with “Forgot password?” on the sign-in page. That confirms your email, too.
  </p>
)

function ProofForm({ user, email, onProven }: { user: string; email: string; onProven: () => void }) {
  const [sent, setSent] = useState<'' | 'now' | 'earlier'>('')
  const isSent = sent !== ''
  const [missing, setMissing] = useState<ReturnType<typeof refusalOf>>(null)
  const send = useMailCode((isEarlier) => setSent(isEarlier ? 'earlier' : 'now'))
  const prove = useProve(user, onProven)
  const refusal = missing ?? refusalOf(prove.error)
  const form = useRef<HTMLFormElement>(null)
  const wrong = refusal?.field
  // The fields appear because they are wanted; a refusal brings the reader back to the one that it is about.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal counts, also of the same field
  useEffect(() => {
    if (isSent) form.current?.querySelector<HTMLInputElement>(`[name=${wrong ?? 'code'}]`)?.focus()
  }, [isSent, wrong, refusal])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isSent) return send.mutate()
    const filled = new FormData(event.currentTarget)
    const code = String(filled.get('code')).replace(/\D/g, '')
    const password = String(filled.get('password'))
    if (!code) return setMissing({ field: 'code', text: 'Enter the code from the email' })
    if (!password) return setMissing({ field: 'password', text: 'Enter your password' })
    setMissing(null)
    prove.mutate({ code, password })
  }
  const errorAt = (field: string) => (refusal?.field === field ? refusal.text : undefined)
  return (
    <form ref={form} noValidate method="post" onSubmit={submit} className="grid gap-5">
      {isSent && (
        <>
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <CodeField
            label="Code from your email"
            hint={sent === 'now' ? `We sent a 6-digit code to ${email}.` : 'We just sent you a code.'}
            error={errorAt('code')}
          />
          <Field label="Password" hint="This shows that the account is yours, too." error={errorAt('password')}>
            {(wiring) => <PasswordInput {...wiring} name="password" autoComplete="current-password" />}
          </Field>
        </>
      )}
      <Button type="submit" look="accent" size="large" disabled={send.isPending || prove.isPending}>
        {isSent ? (prove.isPending ? 'Confirming...' : 'Confirm') : send.isPending ? 'Sending...' : 'Email me a code'}
      </Button>
      {isSent && (
        <button
          type="button"
          disabled={send.isPending}
          onClick={() => send.mutate()}
          className="min-h-11 justify-self-start text-meta font-medium underline underline-offset-4"
        >
          Send a new code
        </button>
      )}
    </form>
  )
}
