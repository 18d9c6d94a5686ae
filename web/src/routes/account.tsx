import { AccountScreen } from '@/features/account/account-screen'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = { title: 'Account', description: 'Your Greenroom account.', robots: 'noindex' }

export function Page() {
  return <AccountScreen />
}
