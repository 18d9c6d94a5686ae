import { SettingsScreen } from '@/features/account/settings-screen'

export function Page() {
  return <SettingsScreen />
}
