import './admin.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { run } from '@/lib/backend'
import { RequireSession } from '@/lib/require-session'
import { ErrorState } from '@/ui/error-state'
import { Spinner } from '@/ui/spinner'
import { toast } from '@/ui/toast'
import { Panel, type PanelProps } from './panel'
import { RequireSecondStep } from './second-step'

const checking = <Spinner label="Checking your access" />

/** The admin panel, for who holds the role; the server asks again with every request. */
export function AdminScreen(props: PanelProps) {
  return (
    <div data-panel="admin">
      <div className="page max-w-[calc(1344px+2*var(--gutter))] pt-[calc(var(--header)+20px)]">
        <h1 className="mb-4 font-serif text-[2rem] leading-tight tracking-tight">Admin Panel</h1>
        <RequireSession pending={checking}>
          {(session) => (
            <RequireAdmin key={session.user.id} user={session.user.id}>
              <RequireSecondStep session={session}>
                <Panel {...props} />
              </RequireSecondStep>
            </RequireAdmin>
          )}
        </RequireSession>
      </div>
    </div>
  )
}

function useIsAdmin(user: string) {
  return useQuery({
    queryKey: ['admin', user, 'role'],
    queryFn: ({ signal }) =>
      run<{ role: string }>(
        {
          table: 'user_roles',
          select: 'role',
          where: [
            ['user_id', 'eq', user],
            ['role', 'eq', 'admin'],
          ],
          limit: 1,
        },
        signal,
      ),
    staleTime: 0,
  })
}

function RequireAdmin({ user, children }: { user: string; children: React.ReactNode }) {
  const { data, isError, refetch } = useIsAdmin(user)
  const isDenied = data !== undefined && data.rows.length === 0
  useEffect(() => {
    if (isDenied) toast.error('Access denied. Admin only.')
  }, [isDenied])
  if (isDenied) return <Navigate to="/" replace />
  if (isError)
    return (
      <ErrorState
        title="Your access could not be checked"
        hint="The rest of the site still works."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return checking
  return children
}
