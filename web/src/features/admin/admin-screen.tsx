import './admin.css'
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { owesSecondStep, type SecondStepForm } from '@/lib/auth-level'
import { useIsAdmin } from '@/lib/auth-role'
import { RequireSession } from '@/lib/require-session'
import { ErrorState } from '@/ui/error-state'
import { Spinner } from '@/ui/spinner'
import { toast } from '@/ui/toast'
import { Panel, type PanelProps } from './panel'

const checking = <Spinner label="Checking your access" />

type AdminScreenProps = PanelProps & { SecondStep: SecondStepForm }

/** The admin panel, for who holds the role and has passed their second step; the server asks again with every request. */
export function AdminScreen({ SecondStep, ...props }: AdminScreenProps) {
  return (
    <div data-panel="admin">
      <div className="page max-w-[calc(1344px+2*var(--gutter))] pt-[calc(var(--header)+20px)]">
        <h1 className="mb-4 font-serif text-[2rem] leading-tight tracking-tight">Admin Panel</h1>
        <RequireSession pending={checking}>
          {(session) => (
            <RequireAdmin key={session.user.id} user={session.user.id}>
              {owesSecondStep(session) ? (
                <div className="max-w-md rounded-card border border-hairline bg-surface-1 p-5 sm:p-8">
                  <SecondStep session={session} action="Open the admin panel" reason="We ask once per sign-in." />
                </div>
              ) : (
                <Panel {...props} />
              )}
            </RequireAdmin>
          )}
        </RequireSession>
      </div>
    </div>
  )
}

function RequireAdmin({ user, children }: { user: string; children: ReactNode }) {
  const { data: isAdmin, isFetching, isLoadingError, refetch } = useIsAdmin(user)
  // Who became one a moment ago is not turned away by what was known before.
  const isDenied = isAdmin === false && !isFetching
  useEffect(() => {
    if (isDenied) toast.error('Access denied. Admin only.')
  }, [isDenied])
  if (isDenied) return <Navigate to="/" replace />
  if (isLoadingError)
    return (
      <ErrorState
        title="We couldn’t check your access"
        hint="The rest of the site still works."
        onRetry={() => void refetch()}
      />
    )
  if (!isAdmin) return checking
  return children
}
