import { PageTitle } from '@/ui/page-title'

export function HelpCenterScreen() {
  return (
    <div className="page">
      <PageTitle>Help Center</PageTitle>
    </div>
  )
}
