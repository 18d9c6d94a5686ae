import { clsx } from 'clsx'
import { useState } from 'react'
import { ago } from '@/lib/ago'
import { useNow } from '@/lib/now'
import { Link } from '@/ui/link'
import { ReasonDialog } from '@/ui/reason-dialog'
import { type Learner, useChangeEnrollment } from './learners-api'
import { Badge, Bar } from './parts'
import { RowMenu } from './row-menu'

const day = (iso: string) => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(new Date(iso))

type LearnerRowProps = { course: string; learner: Learner; isAdmin: boolean }

/** One who takes the course. On a phone the columns stand below each other. */
export function LearnerRow({ course, learner, isAdmin }: LearnerRowProps) {
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const change = useChangeEnrollment(course)
  const id = learner.enrollment
  const percent = learner.of > 0 ? Math.floor((learner.done / learner.of) * 100) : 0
  const choices = [
    ...(learner.revoked_at
      ? [
          {
            label: 'Restore access',
            onSelect: () => change.mutate({ id, revoked_at: null, revoked_for: null, said: 'Access restored' }),
          },
        ]
      : [
          {
            label: learner.opened_all ? 'Follow the schedule again' : 'Open everything',
            onSelect: () =>
              change.mutate({
                id,
                opened_all: !learner.opened_all,
                said: learner.opened_all ? 'The schedule holds again' : 'Everything is open now',
              }),
          },
          { label: 'Revoke access', isGrave: true, onSelect: () => setAsking(true) },
        ]),
  ]
  const cell = 'px-4 max-md:block max-md:py-0.5'
  return (
    <tr className="relative max-md:block max-md:py-3 max-md:pr-12">
      <th scope="row" className={clsx(cell, 'py-3 text-left font-medium')}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="wrap-anywhere">{learner.name}</bdi>
          {learner.completed_at && <Badge tone="success">Completed</Badge>}
          {learner.revoked_at && <Badge tone="danger">Revoked</Badge>}
          {learner.opened_all && <Badge>Everything open</Badge>}
        </span>
        {learner.certificate && (
          <Link
            to={`/certificate/${learner.certificate}`}
            aria-label={`Certificate of ${learner.name}`}
            className="inline-flex min-h-6 items-center text-meta font-normal underline underline-offset-4"
          >
            Certificate
          </Link>
        )}
        {learner.email && <bdi className="block text-meta font-normal wrap-anywhere text-muted">{learner.email}</bdi>}
      </th>
      <td className={cell}>
        <span className="flex items-center gap-3">
          <span className="flex w-28 max-w-full">
            <Bar label={`Progress of ${learner.name}`} percent={percent} />
          </span>
          <span className="text-meta whitespace-nowrap text-muted tabular-nums">{`${learner.done} of ${learner.of}`}</span>
        </span>
      </td>
      <td className={clsx(cell, 'text-meta text-muted')}>
        <span className="md:hidden">Last active: </span>
        {learner.last_at && now ? ago(learner.last_at, now, 'en-US') : 'not yet'}
      </td>
      <td className={clsx(cell, 'text-meta whitespace-nowrap text-muted tabular-nums')}>
        <span className="md:hidden">Enrolled: </span>
        {day(learner.enrolled_at)}
      </td>
      {isAdmin && (
        <td className="pr-1 text-right max-md:absolute max-md:top-2 max-md:right-1">
          <RowMenu label={`More for ${learner.name}`} choices={choices} />
          {isAsking && (
            <ReasonDialog
              title="Revoke access"
              description={
                <>
                  <bdi>{learner.name}</bdi> can no longer open the lessons. Their progress is kept, and you can restore
                  access.
                </>
              }
              hint="Kept with the enrollment."
              onClose={() => setAsking(false)}
              onGive={(reason) =>
                change.mutate({
                  id,
                  revoked_at: new Date().toISOString(),
                  revoked_for: reason,
                  said: 'Access revoked',
                })
              }
            />
          )}
        </td>
      )}
    </tr>
  )
}
