import type { Session } from '@supabase/auth-js'
import { type ComponentType, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { takeReturn, useArrivalError } from '@/lib/arrival'
import { owesSecondStep, type SecondStepForm } from '@/lib/auth-level'
import { isLinked, takeTrip } from '@/lib/auth-linked'
import { takeWanted } from '@/lib/memory'
import { resumePress, type SessionState, useSession } from '@/lib/session'
import { welcome } from './api'
import { Entrance } from './entrance'
import { HalfWay } from './half-way'

type Entered = (session: Session) => void

/** Whether there is somebody here who has nothing to do on this screen. A guest may want an account. */
const isIn = (session: Session | null) => session !== null && !session.user.is_anonymous && !owesSecondStep(session)

/** Who is signed in has nothing to do here. Who signs in goes on to the page that was wanted; who was already, home. */
function useLeaveWhenSignedIn({ status, session }: SessionState, onEntered?: Entered) {
  const navigate = useNavigate()
  const error = useArrivalError()
  const left = useRef(false)
  const asked = useRef(false)
  const leaving = isIn(session)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it leaves once, whoever hears of it
  useEffect(() => {
    if (status !== 'loading' && !leaving) asked.current = true
    if (!leaving || left.current) return
    left.current = true
    const wanted = takeWanted()
    const isReturn = takeReturn('/auth')
    // A link may have brought a session of somebody else's, here or in another tab: what was pressed is not for that.
    const isOwn = asked.current && session !== null && !isLinked(session)
    if (takeTrip() || isOwn) resumePress()
    // From a provider or a mailed link: everybody else was welcomed where they signed in.
    if (isReturn && !asked.current && !error) welcome()
    if (isOwn) onEntered?.(session)
    void navigate(isOwn || isReturn ? wanted : '/', { replace: true })
  }, [status, leaving, navigate])
}

type AuthScreenProps = {
  SecondStep: SecondStepForm
  /** The way in by a passkey. */
  Passkey?: ComponentType<{ onSignedIn: () => void }>
  /** Hears of who has signed in here. */
  onEntered?: Entered
}

export function AuthScreen({ SecondStep, Passkey, onEntered }: AuthScreenProps) {
  const state = useSession()
  const { session } = state
  useLeaveWhenSignedIn(state, onEntered)
  if (session && owesSecondStep(session))
    return (
      <HalfWay session={session}>
        <SecondStep session={session} action="Sign In" onPassed={welcome} />
      </HalfWay>
    )
  return <Entrance passkey={Passkey && <Passkey onSignedIn={welcome} />} />
}
