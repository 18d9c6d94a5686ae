import { PageTitle } from '@/ui/page-title'

export function SponsorshipsScreen() {
  return (
    <div className="page">
      <PageTitle>Corporate Sponsorships</PageTitle>
    </div>
  )
}
