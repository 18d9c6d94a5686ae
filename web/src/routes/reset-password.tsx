import { ResetPasswordScreen } from '@/features/auth/reset-password-screen'
import { SecondStep } from '@/features/factor/second-step'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = {
  title: 'Set a new password',
  description: 'Choose a new password for your account.',
  robots: 'noindex',
}

export function Page() {
  return <ResetPasswordScreen SecondStep={SecondStep} />
}
