import { useEffect } from 'react'
import { TakeAccount } from '@/features/account/take-account'
import { GridSkeleton } from '@/features/catalog/course-grid'
import { CoursesByIds } from '@/features/catalog/courses-by-ids'
import { Suggestions } from '@/features/catalog/courses-of'
import { useSavedIds } from '@/features/saved/api'
import type { HeadFacts } from '@/lib/head'
import { RequireSession } from '@/lib/require-session'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { useKeptPlace } from '@/ui/kept-place'
import { Link } from '@/ui/link'
import { PageTitle } from '@/ui/page-title'
import { toast } from '@/ui/toast'
import { Explore, Meanwhile } from './parts/explore'

export const head: HeadFacts = { title: 'My List', description: 'The courses you saved.', robots: 'noindex' }

export function Page() {
  return (
    <div className="page-wide">
      <PageTitle>My List</PageTitle>
      <RequireSession pending={<Loading />}>
        {({ user }) => <Saved isGuest={user.is_anonymous === true} />}
      </RequireSession>
    </div>
  )
}

function Saved({ isGuest }: { isGuest: boolean }) {
  const { data: ids, isLoadingError, refetch } = useSavedIds()
  useEffect(() => {
    if (isLoadingError) toast.error('Failed to load your saved courses')
  }, [isLoadingError])
  useKeptPlace(ids?.length ?? 0)
  if (isLoadingError)
    return (
      <>
        <ErrorState
          title="Your list could not be loaded"
          hint="The courses themselves are still here."
          onRetry={() => void refetch()}
        />
        <Meanwhile />
      </>
    )
  if (!ids) return <Loading />
  if (ids.length === 0) return <Empty />
  return (
    <>
      {isGuest && (
        <TakeAccount
          lead="Your list is kept in this browser only. With an account you find it on every device."
          className="mb-8"
        />
      )}
      <CoursesByIds ids={ids} label="Saved courses" />
      <Explore known={ids} />
    </>
  )
}

function Loading() {
  return (
    <div aria-busy="true">
      <p role="status" className="late mb-8 text-muted">
        Loading your saved courses...
      </p>
      <GridSkeleton />
    </div>
  )
}

function Empty() {
  return (
    <EmptyState
      title="You haven't saved any courses yet"
      hint="Click the heart icon on a course and it will wait for you here."
      action={
        <Button asChild look="primary">
          <Link to="/">Browse Courses</Link>
        </Button>
      }
    >
      <Suggestions />
    </EmptyState>
  )
}
