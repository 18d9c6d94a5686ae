import { Suggestions } from '@/features/catalog/courses-of'
import { EntryList, EntrySkeleton } from '@/features/waitlist/entry-list'
import type { HeadFacts } from '@/lib/head'
import { RequireSession } from '@/lib/require-session'
import { PageTitle } from '@/ui/page-title'
import { EntryNote, EntryStill } from './parts/entry-course'
import { Explore, Meanwhile } from './parts/explore'

export const head: HeadFacts = { title: 'Waitlist', description: 'The courses you are waiting for.', robots: 'noindex' }

export function Page() {
  return (
    <div className="page-wide">
      <PageTitle lead="We email you when one of these opens.">Waitlist</PageTitle>
      <RequireSession pending={<EntrySkeleton />}>
        {() => (
          <EntryList
            suggestions={<Suggestions />}
            meanwhile={<Meanwhile />}
            below={(ids) => <Explore known={ids} />}
            still={(id) => <EntryStill id={id} />}
            note={(id) => <EntryNote id={id} />}
          />
        )}
      </RequireSession>
    </div>
  )
}
