import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { forgetArrivalError, hasComeBack, useArrivalError } from '@/lib/arrival'
import { owesSecondStep, type SecondStepForm } from '@/lib/auth-level'
import { readPress, takeTrip, takeWanted } from '@/lib/memory'
import { report } from '@/lib/report'
import { auth, resumePress, type SessionState, useSession } from '@/lib/session'
import { settings } from '@/lib/settings'
import { useHydrated } from '@/startup/hydrated'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import { type Mode, welcome } from './api'
import { AuthForm, type Outcome } from './auth-form'
import { AuthNotice } from './auth-notice'
import { HalfWay } from './half-way'
import { ProviderLinks } from './provider-links'
import { Room } from './room'

const words = {
  'sign-in': { title: 'Sign in', lead: 'Your list, your waitlist and your seat are where you left them.' },
  'sign-up': { title: 'Create your account', lead: 'Save courses, join waitlists and tell us what to make next.' },
  forgot: { title: 'Reset your password', lead: 'Enter your email, and we’ll send you a link to choose a new one.' },
} as const

const quiet = 'font-medium text-foreground underline underline-offset-4'

/** Who is signed in has nothing to do here. Who signs in goes on to the page that was wanted; who was already, home. */
function useLeaveWhenSignedIn({ status, session }: SessionState) {
  const navigate = useNavigate()
  const left = useRef(false)
  const asked = useRef(false)
  const leaving = session !== null && !owesSecondStep(session)
  useEffect(() => {
    if (status !== 'loading' && !leaving) asked.current = true
    if (!leaving || left.current) return
    left.current = true
    const wanted = takeWanted()
    // A link may have brought a session of somebody else's: what was pressed is not for that.
    if (takeTrip() || asked.current) resumePress()
    void navigate(asked.current || hasComeBack() ? wanted : '/', { replace: true })
  }, [status, leaving, navigate])
}

export function AuthScreen({ SecondStep }: { SecondStep: SecondStepForm }) {
  const state = useSession()
  const { session } = state
  useLeaveWhenSignedIn(state)
  if (session && owesSecondStep(session))
    return (
      <HalfWay session={session}>
        <SecondStep session={session} action="Sign In" onPassed={welcome} />
      </HalfWay>
    )
  return <Entrance />
}

function Entrance() {
  const [mode, setMode] = useState<Mode>('sign-in')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const arrival = useArrivalError()
  const fromLink = (useLocation().state as { linkFailed?: boolean } | null)?.linkFailed === true
  const [linkFailed, setLinkFailed] = useState(fromLink)

  // The form will want the client; a failure to load it shows when it is used.
  useEffect(() => void auth().catch(() => undefined), [])

  const change = (next: Mode) => {
    setMode(next)
    setOutcome(null)
    setLinkFailed(false)
    forgetArrivalError()
  }
  // What was said of the mode that is left is no longer true of this one.
  const choose = (next: Mode) => {
    void import('@/ui/toast-host').then(({ dismissErrors }) => dismissErrors()).catch(report)
    change(next)
  }
  const { title, lead } = words[mode]
  // The server, which does not know it, drew the page without it.
  const pressed = useHydrated() && mode === 'sign-in' ? readPress().words : ''
  return (
    <Room title={title}>
      {mode === 'forgot' && <BackLink onBack={() => choose('sign-in')} />}
      <h1 className="font-serif text-title tracking-tight">{title}</h1>
      <p className="mt-2 mb-8 text-balance text-muted">{pressed ? `Sign in to ${pressed}.` : lead}</p>
      <AuthNotice outcome={outcome} linkFailed={linkFailed} arrival={arrival} onAskAgain={() => choose('forgot')} />
      <AuthForm mode={mode} onMode={change} onForgot={() => choose('forgot')} onOutcome={setOutcome} />
      {mode !== 'forgot' && <ProviderLinks />}
      {mode !== 'forgot' && <Toggle mode={mode} onMode={choose} />}
      {mode === 'sign-up' && <Terms />}
      <p className="mt-8 border-t border-hairline pt-5 text-meta text-muted">
        Trouble signing in?{' '}
        <a href={`mailto:${settings().supportEmail}`} className={quiet}>
          Contact support
        </a>
      </p>
    </Room>
  )
}

function BackLink({ onBack }: { onBack: () => void }) {
  return (
    <Link
      to="/auth"
      replace
      onClick={(event) => {
        event.preventDefault()
        onBack()
      }}
      className="mb-2 inline-flex min-h-11 items-center gap-1 text-meta text-muted hover:text-foreground"
    >
      <Icon name="left" className="size-4" />
      Back to sign in
    </Link>
  )
}

function Toggle({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  const [question, label, other] =
    mode === 'sign-in'
      ? (["Don't have an account?", 'Sign up', 'sign-up'] as const)
      : (['Already have an account?', 'Sign in', 'sign-in'] as const)
  return (
    <p className="mt-5 flex min-h-11 flex-wrap items-center gap-x-2 text-[0.9375rem] text-muted">
      {question}
      <button type="button" onClick={() => onMode(other)} className={`min-h-11 ${quiet}`}>
        {label}
      </button>
    </p>
  )
}

function Terms() {
  return (
    <p className="mt-1 text-meta text-muted">
      By signing up you agree to the{' '}
      <Link to="/terms-and-conditions" className={quiet}>
        Terms and Conditions
      </Link>{' '}
      and the{' '}
      <Link to="/privacy-policy" className={quiet}>
        Privacy Policy
      </Link>
      .
    </p>
  )
}
