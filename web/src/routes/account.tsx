import { AccountScreen } from '@/features/account/account-screen'
import { MyLearningButton } from '@/features/learn/my-learning-button'
import { useSavedIds } from '@/features/saved/api'
import { TeachButton } from '@/features/teach/teach-button'
import { useEntries } from '@/features/waitlist/api'
import type { HeadFacts } from '@/lib/head'
import { Shelf } from './parts/shelf'

export const head: HeadFacts = { title: 'Account', description: 'Your Greenroom account.', robots: 'noindex' }

export function Page() {
  return <AccountScreen shelves={<Shelves />} learning={<Desks />} />
}

function Desks() {
  return (
    <>
      <MyLearningButton />
      <TeachButton />
    </>
  )
}

function Shelves() {
  const { data: saved } = useSavedIds()
  const { data: entries } = useEntries()
  return (
    <>
      <Shelf
        title="My List"
        to="/my-list"
        ids={saved}
        count={saved?.length ?? 0}
        empty="Nothing saved yet. The heart on a course puts it here."
      />
      <Shelf
        title="Waitlist"
        to="/waitlist"
        ids={entries?.rows.flatMap((entry) => entry.course_id ?? [])}
        count={entries?.rows.length ?? 0}
        empty="You are not waiting for a course yet."
      />
    </>
  )
}
