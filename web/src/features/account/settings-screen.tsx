import { PageTitle } from '@/ui/page-title'

export function SettingsScreen() {
  return (
    <div className="page">
      <PageTitle>Settings</PageTitle>
    </div>
  )
}
