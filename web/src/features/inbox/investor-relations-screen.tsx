import { PageTitle } from '@/ui/page-title'

export function InvestorRelationsScreen() {
  return (
    <div className="page">
      <PageTitle>Investor Relations</PageTitle>
    </div>
  )
}
