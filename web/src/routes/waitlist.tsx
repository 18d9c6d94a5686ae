import { suggestions } from '@/features/catalog/api'
import { CoursesOf } from '@/features/catalog/courses-of'
import { EntryList, EntrySkeleton } from '@/features/waitlist/entry-list'
import type { HeadFacts } from '@/lib/head'
import { RequireSession } from '@/lib/require-session'
import { PageTitle } from '@/ui/page-title'
import { courseActions } from './parts/course-actions'

export const head: HeadFacts = { title: 'Waitlist', description: 'The courses you are waiting for.', robots: 'noindex' }

export function Page() {
  return (
    <div className="page-wide">
      <PageTitle>Waitlist</PageTitle>
      <RequireSession pending={<EntrySkeleton />}>
        {() => (
          <EntryList
            suggestions={<CoursesOf read={suggestions} label="Suggestions" cards={3} actions={courseActions} />}
          />
        )}
      </RequireSession>
    </div>
  )
}
