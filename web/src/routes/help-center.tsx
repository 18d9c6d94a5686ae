import { HelpCenterScreen } from '@/features/inbox/help-center-screen'

export function Page() {
  return <HelpCenterScreen />
}
