import { PageTitle } from '@/ui/page-title'

export function AuthScreen() {
  return (
    <div className="page">
      <PageTitle>Sign in</PageTitle>
    </div>
  )
}
