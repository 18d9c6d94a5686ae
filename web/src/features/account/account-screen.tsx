import type { Session } from '@supabase/auth-js'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useIsAdmin } from '@/lib/auth-role'
import { RequireSession } from '@/lib/require-session'
import { Button } from '@/ui/button'
import { IconButton } from '@/ui/icon-button'
import { Link } from '@/ui/link'
import { PageTitle } from '@/ui/page-title'
import { Skeleton } from '@/ui/skeleton'
import { toast } from '@/ui/toast'
import { useLogOut } from './api'
import { CopyDrawing, LeaveDrawing, SettingsDrawing, ShieldDrawing } from './drawings'
import { LeaveAsGuest } from './guest'
import { TakeAccount } from './take-account'

/** The account itself, and beside it what its owner keeps here. */
export function AccountScreen({ shelves, learning }: { shelves?: ReactNode; learning?: ReactNode }) {
  return (
    <div className="page">
      <PageTitle>Account</PageTitle>
      <RequireSession pending={<Pending />}>
        {(session) => (
          <div className="grid gap-x-20 gap-y-10 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:items-start">
            <div>
              <Overview session={session} learning={learning} />
            </div>
            <div className="grid gap-10">{shelves}</div>
          </div>
        )}
      </RequireSession>
    </div>
  )
}

function Overview({ session, learning }: { session: Session; learning: ReactNode }) {
  const { id, email = '', is_anonymous: isGuest = false } = session.user
  const { data: admin = false, isLoadingError, refetch } = useIsAdmin(id)
  const navigate = useNavigate()
  const logOut = useLogOut(() => void navigate('/auth', { replace: true }))
  return (
    <>
      <section aria-label="Profile" className="overflow-hidden rounded-sheet border border-hairline bg-surface-1">
        <div className="relative h-24 bg-[radial-gradient(70%_140%_at_22%_0%,oklch(0.74_0.17_52/0.42),transparent_70%)]" />
        <div className="-mt-9 px-5 pb-5">
          <div
            aria-hidden="true"
            className="-ml-1 flex size-16 items-center justify-center rounded-full border-4 border-surface-1 bg-accent font-serif text-2xl text-on-accent uppercase"
          >
            {isGuest ? 'G' : email.charAt(0)}
          </div>
          <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 text-xl font-medium wrap-anywhere">{isGuest ? 'Guest' : <Address of={email} />}</p>
            {admin && (
              <span className="inline-flex items-center gap-1.5 rounded-full border border-gold px-3 py-1 text-meta font-medium text-gold">
                <ShieldDrawing />
                Admin Account
              </span>
            )}
          </div>
          {isLoadingError && (
            <p role="status" className="mt-2 text-meta text-muted">
              We couldn’t check whether this is an admin account.{' '}
              <button type="button" onClick={() => void refetch()} className="underline underline-offset-4">
                Try again
              </button>
            </p>
          )}
          <UserId id={id} />
        </div>
      </section>
      {isGuest && <TakeAccount className="mt-6" />}
      <div className="mt-6 grid gap-3 sm:flex">
        {learning}
        <Button asChild size="large">
          <Link to="/settings">
            <SettingsDrawing />
            Settings
          </Link>
        </Button>
        {admin && (
          <Button asChild size="large">
            <Link to="/admin">
              <ShieldDrawing />
              Admin Panel
            </Link>
          </Button>
        )}
        {isGuest ? (
          <LeaveAsGuest disabled={logOut.isPending} onLeave={() => logOut.mutate()} />
        ) : (
          <Button
            look="ghost"
            size="large"
            className="sm:ml-auto"
            disabled={logOut.isPending}
            onClick={() => logOut.mutate()}
          >
            <LeaveDrawing />
            Log out
          </Button>
        )}
      </div>
    </>
  )
}

function UserId({ id }: { id: string }) {
  const copy = () =>
    navigator.clipboard.writeText(id).then(
      () => toast.success('User ID copied!'),
      () => toast.error('Failed to copy'),
    )
  return (
    <dl className="mt-5 border-t border-hairline pt-4">
      <dt className="kicker text-faint">User ID</dt>
      <dd className="flex items-center gap-1">
        <span className="min-w-0 font-mono text-meta wrap-anywhere text-muted">{id}</span>
        <IconButton label="Copy user ID" onClick={copy} className="text-muted">
          <CopyDrawing />
        </IconButton>
      </dd>
    </dl>
  )
}

function Pending() {
  return (
    <div role="status" aria-label="Loading your account">
      <Skeleton className="h-72 rounded-sheet" />
      <div className="mt-6 grid gap-3 sm:flex">
        <Skeleton className="h-13 sm:w-44" />
      </div>
    </div>
  )
}

/** An address that is too long for its line breaks before the @. */
function Address({ of }: { of: string }) {
  const at = of.lastIndexOf('@')
  return (
    <>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </>
  )
}
