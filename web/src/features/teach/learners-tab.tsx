import { type FormEvent, useRef, useState } from 'react'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { Input } from '@/ui/field'
import { Skeleton } from '@/ui/skeleton'
import { Funnel } from './funnel'
import { LearnerRow } from './learner-row'
import { useExport, useGrant, useLearners } from './learners-api'

/** Who takes a course, and how far they are. */
export function LearnersTab({ course, isAdmin }: { course: string; isAdmin: boolean }) {
  const query = useLearners(course)
  const file = useExport(course)
  const rows = query.data?.pages.flatMap((page) => page.learners) ?? []
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-3">
        {isAdmin && <GrantForm course={course} />}
        {rows.length > 0 && (
          <Button className="sm:ml-auto" disabled={file.isPending} onClick={() => file.mutate()}>
            <Icon name="download" />
            {file.isPending ? 'Exporting...' : 'Export CSV'}
          </Button>
        )}
      </div>
      {query.isLoadingError ? (
        <ErrorState
          title="The learners could not be loaded"
          hint="The other tabs still work."
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        <Skeleton className="h-52 rounded-card" />
      ) : rows.length === 0 ? (
        <div className="py-6">
          <p className="font-serif text-3xl leading-tight">Nobody is in the house yet</p>
          <p className="mt-2 max-w-[52ch] text-muted">
            Learners show here as soon as they enroll, with how far they came.
          </p>
        </div>
      ) : (
        <>
          <Funnel course={course} />
          <div className="overflow-hidden rounded-card border border-hairline bg-surface-1">
            <table className="w-full text-left max-md:block">
              <caption className="sr-only">Learners</caption>
              <thead className="border-b border-hairline text-kicker text-faint max-md:sr-only">
                <tr>
                  <th scope="col" className="px-4 py-3 font-medium">
                    Learner
                  </th>
                  <th scope="col" className="px-4 font-medium">
                    Progress
                  </th>
                  <th scope="col" className="px-4 font-medium">
                    Last active
                  </th>
                  <th scope="col" className="px-4 font-medium">
                    Enrolled
                  </th>
                  {isAdmin && (
                    <th scope="col" className="w-14">
                      <span className="sr-only">Actions</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody className="divide-y divide-hairline max-md:block">
                {rows.map((learner) => (
                  <LearnerRow key={learner.enrollment} course={course} learner={learner} isAdmin={isAdmin} />
                ))}
              </tbody>
            </table>
          </div>
          {query.hasNextPage && (
            <div>
              <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {query.isFetchingNextPage ? 'Loading…' : 'Show more'}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  )
}

/** Lets somebody in by their address. */
function GrantForm({ course }: { course: string }) {
  const grant = useGrant(course)
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const email = box.current?.value.trim() ?? ''
    if (email === '' || grant.isPending) return box.current?.focus()
    return grant.mutate(email, {
      onSuccess: () => {
        if (box.current) box.current.value = ''
      },
    })
  }
  if (!isOpen)
    return (
      <Button look="accent" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Grant access
      </Button>
    )
  return (
    <form aria-label="Grant access" noValidate onSubmit={submit} className="flex min-w-0 gap-2 max-sm:flex-wrap">
      <Input
        ref={box}
        autoFocus
        type="email"
        aria-label="Email of the account"
        placeholder="name@example.com"
        autoComplete="off"
        dir="ltr"
        className="sm:max-w-72 sm:min-w-56"
      />
      <Button type="submit" look="primary" aria-disabled={grant.isPending}>
        {grant.isPending ? 'Granting...' : 'Grant access'}
      </Button>
      <Button look="ghost" onClick={() => setOpen(false)}>
        Done
      </Button>
    </form>
  )
}
