import type { Session } from '@supabase/auth-js'
import { AuthScreen } from '@/features/auth/auth-screen'
import { SecondStep } from '@/features/factor/second-step'
import { PasskeySignIn } from '@/features/passkey/sign-in'
import type { HeadFacts } from '@/lib/head'
import { report } from '@/lib/report'

export const head: HeadFacts = {
  title: 'Sign in',
  description: 'Sign in to Greenroom or create an account.',
  robots: 'noindex',
}

/** What may be offered to who has signed in is loaded when they have. */
const offer = (session: Session) =>
  void import('@/features/passkey/offer').then(({ offerPasskey }) => offerPasskey(session)).catch(report)

export function Page() {
  return <AuthScreen SecondStep={SecondStep} Passkey={PasskeySignIn} onEntered={offer} />
}
