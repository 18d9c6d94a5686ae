import { RequireSession } from '@/lib/require-session'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import { PageTitle } from '@/ui/page-title'
import { Skeleton } from '@/ui/skeleton'
import { ChangePasswordForm } from './change-password-form'

export function SettingsScreen() {
  return (
    <div className="page max-w-[calc(44rem+2*var(--gutter))]">
      <Button asChild look="ghost" size="small" className="mb-2 -ml-3.5">
        <Link to="/account">
          <Icon name="left" className="size-4" />
          Back to account
        </Link>
      </Button>
      <PageTitle>Settings</PageTitle>
      <section
        aria-labelledby="change-password"
        className="rounded-sheet border border-hairline bg-surface-1 p-5 sm:p-8"
      >
        <h2 id="change-password" className="text-row font-semibold">
          Change password
        </h2>
        <p className="mt-1 mb-6 text-muted">This device stays signed in; every other one is signed out.</p>
        <RequireSession pending={<Pending />}>
          {({ user }) => <ChangePasswordForm email={user.email ?? ''} />}
        </RequireSession>
      </section>
    </div>
  )
}

function Pending() {
  return (
    <div role="status" aria-label="Loading your settings" className="grid max-w-md gap-5">
      <Skeleton className="h-13 bg-surface-2" />
      <Skeleton className="h-13 bg-surface-2" />
      <Skeleton className="h-13 bg-surface-2" />
    </div>
  )
}
