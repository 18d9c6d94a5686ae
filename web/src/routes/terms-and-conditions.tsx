import { PageTitle } from '@/ui/page-title'

export function Page() {
  return (
    <div className="page">
      <PageTitle>Terms and Conditions</PageTitle>
    </div>
  )
}
