import { AuthScreen } from '@/features/auth/auth-screen'
import { SecondStep } from '@/features/factor/second-step'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = {
  title: 'Sign in',
  description: 'Sign in to Greenroom or create an account.',
  robots: 'noindex',
}

export function Page() {
  return <AuthScreen SecondStep={SecondStep} />
}
