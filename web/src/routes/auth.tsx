import { AuthScreen } from '@/features/auth/auth-screen'
import { SecondStep } from '@/features/factor/second-step'

export function Page() {
  return <AuthScreen secondStep={(props) => <SecondStep {...props} />} />
}
