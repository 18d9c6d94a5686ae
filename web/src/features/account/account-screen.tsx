import { PageTitle } from '@/ui/page-title'

export function AccountScreen() {
  return (
    <div className="page">
      <PageTitle>Account</PageTitle>
    </div>
  )
}
