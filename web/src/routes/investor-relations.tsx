import { InvestorRelationsScreen } from '@/features/inbox/investor-relations-screen'
import type { HeadFacts } from '@/lib/head'
import { Figures, figures } from './parts/figures'

export const head: HeadFacts = { title: 'Investor Relations', description: 'Talk to us about investing in Greenroom.' }

export const plan = () => figures

export function Page() {
  return <InvestorRelationsScreen figures={<Figures />} />
}
