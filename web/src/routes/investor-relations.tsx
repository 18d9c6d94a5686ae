import { InvestorRelationsScreen } from '@/features/inbox/investor-relations-screen'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = { title: 'Investor Relations', description: 'Talk to us about investing in Greenroom.' }

export function Page() {
  return <InvestorRelationsScreen />
}
