import { AccountScreen } from '@/features/account/account-screen'

export function Page() {
  return <AccountScreen />
}
