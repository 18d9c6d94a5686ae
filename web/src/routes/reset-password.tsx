import { ResetPasswordScreen } from '@/features/auth/reset-password-screen'

export function Page() {
  return <ResetPasswordScreen />
}
