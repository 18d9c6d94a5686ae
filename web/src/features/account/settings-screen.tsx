import type { Session } from '@supabase/auth-js'
import { type ReactNode, useState } from 'react'
import { owesSecondStep, type SecondStepForm } from '@/lib/auth-level'
import { RequireSession } from '@/lib/require-session'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import { PageTitle } from '@/ui/page-title'
import { Section } from '@/ui/section'
import { Skeleton } from '@/ui/skeleton'
import { ChangePasswordForm } from './change-password-form'
import { ConnectionSection, hasConnections } from './connection-section'
import { DataSection } from './data-section'
import { DeleteSection } from './delete-section'
import { DeviceSection } from './device-section'
import { Goodbye } from './goodbye'
import { GuestSettings } from './guest'
import { NameSection } from './name-section'
import { useStanding } from './proof'
import { AddressSection, type First, useProofFirst } from './prove-address'

type SettingsScreenProps = {
  SecondStep: SecondStepForm
  passkeys?: ((session: Session) => ReactNode) | undefined
  /** `first` is what comes before a new way in. */
  factors: (session: Session, first: First) => ReactNode
}

export function SettingsScreen({ SecondStep, passkeys, factors }: SettingsScreenProps) {
  // Deleting the account ends the session: that is no reason to be sent to sign-in.
  const [gone, setGone] = useState(false)
  if (gone) return <Goodbye />
  return (
    <div className="page">
      <Button asChild look="ghost" size="small" className="mb-2 -ml-3.5">
        <Link to="/account">
          <Icon name="left" className="size-4" />
          Back to account
        </Link>
      </Button>
      <PageTitle>Settings</PageTitle>
      <div className="grid gap-6">
        <RequireSession pending={<Pending />}>
          {(session) =>
            session.user.is_anonymous ? (
              <GuestSettings user={session.user.id} onGone={() => setGone(true)} />
            ) : owesSecondStep(session) ? (
              <>
                <Section
                  title="Confirm it’s you"
                  lead="Verify first to change your password, two-step verification or your account."
                >
                  <div className="max-w-md">
                    <SecondStep session={session} action="Continue" />
                  </div>
                </Section>
                <DeviceSection user={session.user.id} />
                <DataSection />
              </>
            ) : (
              <Everything session={session} passkeys={passkeys} factors={factors} onGone={() => setGone(true)} />
            )
          }
        </RequireSession>
      </div>
    </div>
  )
}

type EverythingProps = Omit<SettingsScreenProps, 'SecondStep'> & { session: Session; onGone: () => void }

function Everything({ session, passkeys, factors, onGone }: EverythingProps) {
  const { first, confirm, dialog } = useProofFirst(session)
  const { data: standing } = useStanding(session.user.id)
  const { id, email = '' } = session.user
  return (
    <>
      <PasswordSection isFirst={standing?.password === false}>
        <ChangePasswordForm email={email} />
      </PasswordSection>
      <NameSection session={session} />
      {passkeys?.(session)}
      {factors(session, first)}
      {hasConnections(session) && <ConnectionSection session={session} first={first} />}
      <DeviceSection user={id} />
      <AddressSection session={session} onConfirm={confirm} />
      <DataSection />
      <DeleteSection email={email} onGone={onGone} />
      {dialog}
    </>
  )
}

/** Who signs in with a provider alone chooses a first password here. */
const PasswordSection = ({ isFirst = false, children }: { isFirst?: boolean; children: ReactNode }) => (
  <Section
    title={isFirst ? 'Set a password' : 'Change password'}
    lead="You stay signed in here. Every other device is signed out."
  >
    {children}
  </Section>
)

function Pending() {
  return (
    <PasswordSection>
      <div role="status" aria-label="Loading your settings" className="grid max-w-md gap-5">
        <Skeleton className="h-13 bg-surface-2" />
        <Skeleton className="h-13 bg-surface-2" />
        <Skeleton className="h-13 bg-surface-2" />
      </div>
    </PasswordSection>
  )
}
