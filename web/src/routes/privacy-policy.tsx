import { PageTitle } from '@/ui/page-title'

export function Page() {
  return (
    <div className="page">
      <PageTitle>Privacy Policy</PageTitle>
    </div>
  )
}
