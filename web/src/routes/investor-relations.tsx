import { InvestorRelationsScreen } from '@/features/inbox/investor-relations-screen'

export function Page() {
  return <InvestorRelationsScreen />
}
