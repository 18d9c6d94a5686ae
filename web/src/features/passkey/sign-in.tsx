import { useEffect, useRef, useState } from 'react'
import { useOnce } from '@/lib/auth-call'
import { isCancelled, keysWork } from '@/lib/auth-key'
import { auth } from '@/lib/session'
import { settings } from '@/lib/settings'
import { useHydrated } from '@/startup/hydrated'
import { Button } from '@/ui/button'
import { answerRefusal, signInRefusal } from './api'
import { PasskeyDrawing } from './drawing'

// The service waits five minutes for an answer.
const questionLasts = 4 * 60_000

// What a person does who goes on.
const acts = ['pointerdown', 'keydown']

type PasskeySignInProps = { onSignedIn: () => void }

/** Signs in by a passkey: by a press here, or by what the email field offers. */
export function PasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  const started = useHydrated()
  const works = started && settings().passkeys && keysWork()
  const [offered, setOffered] = useState('')
  const [isPressed, setPressed] = useState(false)
  const ask = useOnce('sign-in-by-passkey', {
    onMutate: () => {
      // A browser answers one question at a time.
      offer.callOff()
      setPressed(true)
      setOffered('')
    },
    mutationFn: async () => {
      const { error } = await (await auth()).signInWithPasskey()
      if (error) throw error
    },
    onSuccess: onSignedIn,
    onError: () => {
      setPressed(false)
      offer.again()
    },
  })
  const offer = useOffer(works && !isPressed, {
    onSignedIn,
    onRefused: (text) => {
      ask.reset()
      setOffered(text)
    },
  })
  if (!settings().passkeys) return null
  const refusal = offered || (ask.isError ? signInRefusal(ask.error) : '')
  return (
    <div className={started && !works ? 'invisible' : ''}>
      <Button size="large" className="w-full" disabled={!started || ask.isPending} onClick={() => ask.mutate()}>
        <PasskeyDrawing />
        {ask.isPending ? 'Waiting for your passkey...' : 'Sign in with a passkey'}
      </Button>
      {refusal && (
        <p role="alert" className="mt-2 text-meta text-danger">
          {refusal}
        </p>
      )}
    </div>
  )
}

type OfferEvents = { onSignedIn: () => void; onRefused: (text: string) => void }

/** Lets the browser offer the passkeys of this device in the email field, with a question that is never too old. */
function useOffer(isOn: boolean, { onSignedIn, onRefused }: OfferEvents) {
  const [round, setRound] = useState(0)
  const current = useRef<AbortController>(null)
  const again = () => setRound((last) => last + 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is a new question; what hears of it is always the same
  useEffect(() => {
    if (!isOn) return
    const ceremony = new AbortController()
    current.current = ceremony
    const seen = () => !document.hidden && again()
    // Nobody asks for a tab that nobody sees.
    const timer = setTimeout(() => {
      if (!document.hidden) return again()
      document.addEventListener('visibilitychange', seen)
    }, questionLasts)
    const settle = (error: unknown) => {
      if (!error) return onSignedIn()
      const refusal = answerRefusal(error)
      if (ceremony.signal.aborted || isCancelled(error) || !refusal) return
      onRefused(refusal)
      clearTimeout(timer)
      // Something that answers by itself would be asked, and refused, without end.
      for (const event of acts) addEventListener(event, again, { signal: ceremony.signal })
    }
    waitForChoice(ceremony.signal).then(settle, () => undefined)
    return () => {
      ceremony.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [isOn, round])
  return { again, callOff: () => current.current?.abort() }
}

/** Waits until one is chosen; gives what the service had against it. */
async function waitForChoice(signal: AbortSignal): Promise<unknown> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) throw new Error('not offered here')
  const client = await auth()
  signal.throwIfAborted()
  const { error } = await client.signInWithPasskey({ options: { mediation: 'conditional', signal } })
  return error
}
