import { HelpCenterScreen } from '@/features/inbox/help-center-screen'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = {
  title: 'Help Center',
  description: 'Ask us anything about courses and accounts. We reply within 24-48 hours.',
}

export function Page() {
  return <HelpCenterScreen />
}
