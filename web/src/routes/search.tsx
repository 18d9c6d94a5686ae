import { PageTitle } from '@/ui/page-title'

export function Page() {
  return (
    <div className="page">
      <PageTitle>Search</PageTitle>
    </div>
  )
}
