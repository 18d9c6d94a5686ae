import { PageTitle } from '@/ui/page-title'

export function ContactScreen() {
  return (
    <div className="page">
      <PageTitle>Contact</PageTitle>
    </div>
  )
}
