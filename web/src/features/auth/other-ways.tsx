import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { takeWanted } from '@/lib/memory'
import { resumePress, useSession } from '@/lib/session'
import { settings } from '@/lib/settings'
import { useHydrated } from '@/startup/hydrated'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { useComeAsGuest } from './api'
import { ProviderLinks } from './provider-links'

type OtherWaysProps = { isSigningIn: boolean; passkey: ReactNode; isMailing: boolean; onMailCode: () => void }

/** The ways in besides a password that this installation has. A passkey and a code are for who has an account. */
export function OtherWays({ isSigningIn, passkey, isMailing, onMailCode }: OtherWaysProps) {
  const started = useHydrated()
  const { providers, passkeys, emailSignIn, guests } = settings()
  const isGuest = useSession().session?.user.is_anonymous === true
  const asGuest = guests && !isGuest
  const forOwners = isSigningIn && (passkeys || emailSignIn)
  if (providers.length === 0 && !forOwners && !asGuest) return null
  return (
    <div className="mt-6 grid gap-3">
      <p className="flex items-center gap-3 text-meta text-muted">
        <span className="h-px flex-1 bg-hairline" />
        or
        <span className="h-px flex-1 bg-hairline" />
      </p>
      <ProviderLinks />
      {isSigningIn && passkey}
      {isSigningIn && emailSignIn && (
        <Button size="large" disabled={!started || isMailing} onClick={onMailCode}>
          <Icon name="mail" />
          {isMailing ? 'Sending...' : 'Email me a code'}
        </Button>
      )}
      {asGuest && <AsGuest disabled={!started} />}
    </div>
  )
}

/** Comes in without an account, to keep a list in this browser. */
function AsGuest({ disabled }: { disabled: boolean }) {
  const navigate = useNavigate()
  const come = useComeAsGuest(() => {
    resumePress()
    void navigate(takeWanted(), { replace: true })
  })
  return (
    <Button look="ghost" disabled={disabled || come.isPending} onClick={() => come.mutate()}>
      {come.isPending ? 'One moment...' : 'Continue as a guest'}
    </Button>
  )
}
