import { type ReactNode, useEffect } from 'react'
import { localDate } from '@/lib/format'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { useKeptPlace } from '@/ui/kept-place'
import { Link } from '@/ui/link'
import { Skeleton } from '@/ui/skeleton'
import { toast } from '@/ui/toast'
import { type Entry, useEntries } from './api'
import { useLeave } from './leave'

/** The reader's waitlist, newest first. */
export function EntryList({ suggestions }: { suggestions: ReactNode }) {
  const { data, isLoadingError, refetch } = useEntries()
  const leave = useLeave()
  useEffect(() => {
    if (isLoadingError) toast.error('Failed to load waitlist')
  }, [isLoadingError])
  useKeptPlace(data?.rows.length ?? 0)
  if (isLoadingError)
    return (
      <ErrorState
        title="Your waitlist could not be loaded"
        hint="You haven’t lost your spots."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <EntrySkeleton />
  if (data.rows.length === 0) return <Empty>{suggestions}</Empty>
  return (
    <ul aria-label="Your waitlist" className="max-w-[960px] border-t border-hairline">
      {data.rows.map((entry) => (
        <EntryRow key={entry.course_title} entry={entry} onRemove={() => leave.mutate(entry)} />
      ))}
    </ul>
  )
}

function EntryRow({ entry, onRemove }: { entry: Entry; onRemove: () => void }) {
  return (
    <li className="flex items-center justify-between gap-6 border-b border-hairline py-5">
      <div className="min-w-0">
        <h2 className="text-lg leading-snug font-semibold text-pretty">
          {entry.course_id ? (
            <Link to={`/course/${entry.course_id}`} className="hover:underline">
              {entry.course_title}
            </Link>
          ) : (
            entry.course_title
          )}
        </h2>
        <p className="mt-1 text-meta text-muted">
          Added <time dateTime={entry.created_at}>{localDate(entry.created_at)}</time>
        </p>
      </div>
      <Button look="quiet" size="small" aria-label={`Remove ${entry.course_title}`} onClick={onRemove}>
        <Icon name="trash" className="size-4" />
        Remove
      </Button>
    </li>
  )
}

function Empty({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      title="Your waitlist is empty"
      hint="Join the waitlist for a course, and we’ll email you when it opens."
      action={
        <Button asChild look="primary">
          <Link to="/">Browse Courses</Link>
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}

export function EntrySkeleton() {
  return (
    <div aria-hidden="true" className="max-w-[960px] border-t border-hairline">
      {[0, 1, 2].map((row) => (
        <div key={row} className="border-b border-hairline py-5">
          <Skeleton className="h-6 w-2/5" />
          <Skeleton className="mt-2 h-4 w-40" />
        </div>
      ))}
    </div>
  )
}
