import { ResetPasswordScreen } from '@/features/auth/reset-password-screen'
import { SecondStep } from '@/features/factor/second-step'

export function Page() {
  return <ResetPasswordScreen secondStep={(props) => <SecondStep {...props} />} />
}
