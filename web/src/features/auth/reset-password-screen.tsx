import { PageTitle } from '@/ui/page-title'

export function ResetPasswordScreen() {
  return (
    <div className="page">
      <PageTitle>Set a new password</PageTitle>
    </div>
  )
}
