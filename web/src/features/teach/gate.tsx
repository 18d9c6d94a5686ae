import type { Session } from '@supabase/auth-js'
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { owesSecondStep, type SecondStepForm } from '@/lib/auth-level'
import { useIsAdmin } from '@/lib/auth-role'
import { RequireSession } from '@/lib/require-session'
import { ErrorState } from '@/ui/error-state'
import { Spinner } from '@/ui/spinner'
import { toast } from '@/ui/toast'
import { type Teaching, useTeaching } from './api'

/** Who is in the studio: an admin, or somebody who teaches these courses. */
export type Who = { isAdmin: boolean; courses: Teaching[] }

type GateProps = { SecondStep: SecondStepForm; course?: string | undefined; children: (who: Who) => ReactNode }

const checking = <Spinner label="Checking your access" />

/** Lets teachers and admins in; the server asks again with every request. */
export function Gate(props: GateProps) {
  return (
    <RequireSession pending={checking}>
      {(session) => <Known key={session.user.id} session={session} {...props} />}
    </RequireSession>
  )
}

function Known({ session, SecondStep, course, children }: GateProps & { session: Session }) {
  const admin = useIsAdmin(session.user.id)
  const owes = admin.data === true && owesSecondStep(session)
  const teaching = useTeaching()
  const courses = teaching.data ?? []
  const teaches = course === undefined ? courses.length > 0 : courses.some((one) => one.course_id === course)
  const isKnown =
    admin.data !== undefined && !admin.isFetching && (admin.data || (teaching.data && !teaching.isFetching))
  const isDenied = isKnown && !admin.data && !teaches
  useEffect(() => {
    if (isDenied) toast.error('Access denied. Teachers only.')
  }, [isDenied])
  if (isDenied) return <Navigate to="/" replace />
  if (admin.isLoadingError || (teaching.isLoadingError && !admin.data))
    return (
      <ErrorState
        title="We couldn’t check your access"
        hint="The rest of the site still works."
        onRetry={() => void Promise.all([admin.refetch(), teaching.refetch()])}
      />
    )
  if (owes)
    return (
      <div className="max-w-md rounded-card border border-hairline bg-surface-1 p-5 sm:p-8">
        <SecondStep session={session} action="Open the studio" reason="We ask once per sign-in." />
      </div>
    )
  if (admin.data === undefined || (!admin.data && !teaches)) return checking
  return children({ isAdmin: admin.data, courses })
}
