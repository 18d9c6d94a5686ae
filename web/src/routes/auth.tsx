import { AuthScreen } from '@/features/auth/auth-screen'

export function Page() {
  return <AuthScreen />
}
