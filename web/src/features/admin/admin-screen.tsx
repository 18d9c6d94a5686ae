import { PageTitle } from '@/ui/page-title'

export function AdminScreen() {
  return (
    <div className="page">
      <PageTitle>Admin Panel</PageTitle>
    </div>
  )
}
