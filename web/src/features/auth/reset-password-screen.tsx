import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { forgetArrivalError, useArrivalError } from '@/lib/arrival'
import { owesSecondStep, type SecondStepForm } from '@/lib/auth-level'
import { useSession } from '@/lib/session'
import { Skeleton } from '@/ui/skeleton'
import { toast } from '@/ui/toast'
import { ResetForm } from './reset-form'
import { openedByLink } from './reset-link'
import { Room } from './room'

export function ResetPasswordScreen({ SecondStep }: { SecondStep: SecondStepForm }) {
  const { status, session } = useSession()
  const arrival = useArrivalError()
  const navigate = useNavigate()
  const [changing, setChanging] = useState<string | null>(null)
  const turnedAway = useRef(false)

  // Setting the password ends the session: that is no reason to be turned away.
  const isTurnedAway = changing === null && status !== 'loading' && !(session && !arrival && openedByLink(session))
  useEffect(() => {
    if (!isTurnedAway || turnedAway.current) return
    turnedAway.current = true
    toast.error('Invalid or expired reset link. Please request a new one.', arrival ?? undefined)
    forgetArrivalError()
    void navigate('/auth', { replace: true, state: { linkFailed: true } })
  }, [isTurnedAway, arrival, navigate])

  const email = changing ?? (isTurnedAway ? null : (session?.user.email ?? null))
  return (
    <Room title="Set a new password">
      <h1 className="font-serif text-title tracking-tight">Set a new password</h1>
      {email !== null ? (
        <>
          <p className="mt-2 mb-8 text-muted">
            For <span className="wrap-anywhere text-foreground">{email}</span>. Saving it signs you out on every other
            device.
          </p>
          {session && owesSecondStep(session) ? (
            <SecondStep session={session} action="Continue" reason="Your account needs more than an email link." />
          ) : (
            <ResetForm
              email={email}
              onChanging={(now) => setChanging(now ? email : null)}
              onDone={() => void navigate('/auth', { replace: true })}
            />
          )}
        </>
      ) : (
        <Waiting />
      )}
    </Room>
  )
}

function Waiting() {
  return (
    <div role="status">
      <p className="mt-2 mb-8 text-muted">Checking your link…</p>
      <div className="grid gap-5">
        <Skeleton className="h-13" />
        <Skeleton className="h-13" />
        <Skeleton className="h-13" />
      </div>
    </div>
  )
}
