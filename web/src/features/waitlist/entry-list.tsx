import { type ReactNode, useEffect } from 'react'
import { localDate } from '@/lib/ago'
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

type EntryListProps = {
  suggestions: ReactNode
  /** What there is to see while the list cannot be read. */
  meanwhile: ReactNode
  /** What follows the list, told which courses are on it. */
  below: (courseIds: string[]) => ReactNode
  /** The picture of a course, and a few words on it. */
  still: (courseId: string) => ReactNode
  note: (courseId: string) => ReactNode
}

/** The reader's waitlist, newest first. */
export function EntryList({ suggestions, meanwhile, below, still, note }: EntryListProps) {
  const { data, isLoadingError, refetch } = useEntries()
  const leave = useLeave()
  useEffect(() => {
    if (isLoadingError) toast.error('Failed to load waitlist')
  }, [isLoadingError])
  useKeptPlace(data?.rows.length ?? 0)
  if (isLoadingError)
    return (
      <>
        <ErrorState
          title="Your waitlist could not be loaded"
          hint="You haven’t lost your spots."
          onRetry={() => void refetch()}
        />
        {meanwhile}
      </>
    )
  if (!data) return <EntrySkeleton />
  if (data.rows.length === 0) return <Empty>{suggestions}</Empty>
  return (
    <>
      <ul aria-label="Your waitlist" className="border-t border-hairline">
        {data.rows.map((entry) => (
          <EntryRow
            key={entry.course_title}
            entry={entry}
            still={entry.course_id && still(entry.course_id)}
            note={entry.course_id && note(entry.course_id)}
            onRemove={() => leave.mutate(entry)}
          />
        ))}
      </ul>
      {below(data.rows.flatMap((entry) => entry.course_id ?? []))}
    </>
  )
}

type EntryRowProps = { entry: Entry; still: ReactNode; note: ReactNode; onRemove: () => void }

const frame = 'aspect-video w-24 shrink-0 rounded-control bg-surface-1 sm:w-44'

function EntryRow({ entry, still, note, onRemove }: EntryRowProps) {
  return (
    <li className="grid grid-cols-[96px_1fr] items-center gap-x-4 border-b border-hairline py-5 sm:flex sm:gap-7">
      <div className={frame}>{still}</div>
      <div className="min-w-0 flex-1">
        <h2 className="text-lg leading-snug font-semibold text-pretty">
          {entry.course_id ? (
            <Link to={`/course/${entry.course_id}`} className="hover:underline">
              {entry.course_title}
            </Link>
          ) : (
            entry.course_title
          )}
        </h2>
        {note && <p className="mt-1 text-[0.9375rem] text-muted">{note}</p>}
        <p className="mt-1 text-meta text-muted">
          Added <time dateTime={entry.created_at}>{localDate(entry.created_at)}</time>
        </p>
      </div>
      <Button
        look="ghost"
        size="small"
        className="col-start-2 -ml-3.5 justify-self-start"
        aria-label={`Remove ${entry.course_title}`}
        onClick={onRemove}
      >
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
    <div aria-hidden="true" className="border-t border-hairline">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-center gap-4 border-b border-hairline py-5 sm:gap-7">
          <Skeleton className={frame} />
          <div className="flex-1">
            <Skeleton className="h-6 w-2/5" />
            <Skeleton className="mt-2 h-4 w-40" />
          </div>
        </div>
      ))}
    </div>
  )
}
