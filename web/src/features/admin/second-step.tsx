import type { Session } from '@supabase/auth-js'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { serverMessage, settle } from '@/lib/auth-call'
import { auth } from '@/lib/session'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { Spinner } from '@/ui/spinner'
import { toast } from '@/ui/toast'

/** Asks who has a second factor for its code: the server takes them for an admin only after it. */
export function RequireSecondStep({ session, children }: { session: Session; children: ReactNode }) {
  const { data: isStrong } = useQuery({
    queryKey: ['admin', session.user.id, 'strength', session.access_token.slice(-16)],
    queryFn: async () => {
      const { data } = settle(await (await auth()).mfa.getAuthenticatorAssuranceLevel())
      return data?.nextLevel !== 'aal2' || data.currentLevel === 'aal2'
    },
    gcTime: 0,
  })
  if (isStrong === undefined) return <Spinner label="Checking your access" />
  return isStrong ? children : <CodeForm session={session} />
}

function useVerify(session: Session) {
  const factor = session.user.factors?.find((one) => one.factor_type === 'totp' && one.status === 'verified')
  return useMutation({
    mutationFn: async (code: string) => {
      if (!factor) throw new Error('no factor that a code answers')
      settle(await (await auth()).mfa.challengeAndVerify({ factorId: factor.id, code }))
    },
    gcTime: 0,
    onError: (error) => toast.error(serverMessage(error) || 'Failed to verify the code'),
  })
}

function CodeForm({ session }: { session: Session }) {
  const [code, setCode] = useState('')
  const verify = useVerify(session)
  return (
    <form
      noValidate
      aria-label="Two-step verification"
      onSubmit={(event) => {
        event.preventDefault()
        verify.mutate(code.replace(/\s/g, ''))
      }}
      className="mt-6 grid max-w-md gap-5 rounded-card border border-hairline bg-surface-1 p-5 sm:p-8"
    >
      <Field
        label="Code"
        hint="From your authenticator app. The admin panel asks for it once per sign-in."
        error={verify.isError ? 'That code is wrong or too old.' : undefined}
      >
        {(wiring) => (
          <Input
            {...wiring}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={9}
            required
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" look="primary" disabled={verify.isPending || code.trim() === ''}>
        {verify.isPending ? 'Verifying...' : 'Open the admin panel'}
      </Button>
    </form>
  )
}
