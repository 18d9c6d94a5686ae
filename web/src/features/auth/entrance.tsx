import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { forgetArrivalError, useArrivalError } from '@/lib/arrival'
import { readPress } from '@/lib/memory'
import { report } from '@/lib/report'
import { auth, useSession } from '@/lib/session'
import { useHydrated } from '@/startup/hydrated'
import { type Mode, useSendCode } from './api'
import { type AddressOf, AuthForm, type Outcome } from './auth-form'
import { AuthNotice } from './auth-notice'
import { CodeEntry } from './code-entry'
import { BackLink, Support, Terms, Toggle } from './entrance-links'
import { OtherWays } from './other-ways'
import { Room } from './room'

const words = {
  'sign-in': { title: 'Sign in', lead: 'Your list, your waitlist and your seat are where you left them.' },
  'sign-up': { title: 'Create your account', lead: 'Save courses, join waitlists and tell us what to make next.' },
  forgot: { title: 'Reset your password', lead: 'Enter your email, and we’ll send you a link to choose a new one.' },
} as const

type Arrived = { linkFailed?: boolean; mode?: Mode } | null

/** The ways in, for who is not. */
export function Entrance({ passkey }: { passkey?: ReactNode }) {
  const arrived = useLocation().state as Arrived
  const [mode, setMode] = useState<Mode>(arrived?.mode ?? 'sign-in')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const arrival = useArrivalError()
  const [linkFailed, setLinkFailed] = useState(arrived?.linkFailed === true)
  const address = useRef<AddressOf>(null)
  // Where a code was mailed to, and whether it is asked for.
  const [mailed, setMailed] = useState('')
  const [isEntering, setEntering] = useState(false)
  const send = useSendCode()

  // The form will want the client; a failure to load it shows when it is used.
  useEffect(() => void auth().catch(() => undefined), [])

  const change = (next: Mode) => {
    setMode(next)
    setOutcome(null)
    setLinkFailed(false)
    setEntering(false)
    forgetArrivalError()
  }
  // What was said of the mode that is left is no longer true of this one.
  const choose = (next: Mode) => {
    void import('@/ui/toast-host').then(({ dismissErrors }) => dismissErrors()).catch(report)
    change(next)
  }
  const mailCode = async () => {
    const email = await address.current?.()
    if (!email) return
    send.mutate(email, {
      onSuccess: () => {
        setMailed(email)
        setEntering(true)
      },
    })
  }
  const { title, lead } = words[mode]
  const isGuest = useSession().session?.user.is_anonymous === true
  const reason = isGuest && mode === 'sign-up' ? 'Your list comes along, and you find it on every device.' : lead
  // The server, which does not know it, drew the page without it.
  const pressed = useHydrated() && mode !== 'forgot' ? readPress().words : ''
  if (isEntering) return <CodeEntry email={mailed} onBack={() => choose('sign-in')} />
  return (
    <Room title={title}>
      {mode === 'forgot' && <BackLink onBack={() => choose('sign-in')} />}
      <h1 className="font-serif text-title tracking-tight">{title}</h1>
      <p className="mt-2 mb-8 text-balance text-muted">
        {pressed ? `${mode === 'sign-in' ? 'Sign in' : 'Create an account'} to ${pressed}.` : reason}
      </p>
      <AuthNotice outcome={outcome} linkFailed={linkFailed} arrival={arrival} onAskAgain={() => choose('forgot')} />
      <AuthForm
        mode={mode}
        onMode={change}
        onForgot={() => choose('forgot')}
        onOutcome={setOutcome}
        address={address}
        email={mailed}
      />
      {mode !== 'forgot' && (
        <OtherWays
          isSigningIn={mode === 'sign-in'}
          passkey={passkey}
          isMailing={send.isPending}
          onMailCode={() => void mailCode()}
        />
      )}
      {mode !== 'forgot' && <Toggle mode={mode} onMode={choose} />}
      {mode === 'sign-up' && <Terms />}
      <Support />
    </Room>
  )
}
