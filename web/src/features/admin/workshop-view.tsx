import { useQuery } from '@tanstack/react-query'
import { useParameter } from '@/lib/address'
import { readQuery } from '@/lib/query'
import type { Workshop } from '@/lib/rows'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { useDeleteRegistration } from './entry-api'
import { EntryPanel } from './entry-panel'
import { ListView } from './list-view'
import { usePages } from './pages'
import { Cut, LineButton, When } from './parts'
import { confirmed, waiting, workshop as workshopRead } from './reads'
import type { Entry } from './rows'
import { entryFacts, Standing } from './waitlist-tab'
import { WorkshopForm } from './workshop-form'

/** The workshop's settings beside the people who registered for it. */
export function WorkshopView() {
  const { data, isLoadingError, refetch } = useQuery({ ...readQuery(workshopRead), staleTime: 0 })
  const workshop = data?.rows[0]
  if (isLoadingError) return <ErrorState title="The workshop could not be loaded" onRetry={() => void refetch()} />
  if (!workshop) return <Skeleton className="h-96" />
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <section aria-label="Settings" className="rounded-card border border-hairline bg-surface-1 p-5 sm:p-7">
        <WorkshopForm workshop={workshop} />
      </section>
      <People workshop={workshop} />
    </div>
  )
}

function People({ workshop }: { workshop: Workshop }) {
  const [list, setList] = useParameter('people')
  const isWaiting = list === 'waiting'
  const taken = workshop.spots - workshop.spots_left
  return (
    <section aria-label="People" className="min-w-0">
      <fieldset aria-label="Which people" className="mb-4 inline-flex rounded-control bg-surface-1 p-1">
        {(['', 'waiting'] as const).map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={isWaiting === (value === 'waiting')}
            onClick={() => setList(value)}
            className="press min-h-11 rounded-[6px] px-4 text-[0.9375rem] font-medium text-muted hover:text-foreground aria-pressed:bg-surface-3 aria-pressed:text-foreground md:min-h-9"
          >
            {value === 'waiting' ? 'Waiting' : `Confirmed (${taken} of ${workshop.spots})`}
          </button>
        ))}
      </fieldset>
      {isWaiting ? <Waiting id={workshop.id} /> : <Confirmed id={workshop.id} />}
    </section>
  )
}

const failed = (error: Error) => console.error('The registrations could not be loaded.', error)

function Confirmed({ id }: { id: string }) {
  return <Registrations label="Confirmed" pages={usePages(confirmed(id), failed)} empty="Nobody has registered yet." />
}

function Waiting({ id }: { id: string }) {
  return <Registrations label="Waiting" pages={usePages(waiting(id), failed)} empty="Nobody is waiting for a spot." />
}

type RegistrationsProps = { label: string; pages: ReturnType<typeof usePages<Entry>>; empty: string }

function Registrations({ label, pages, empty }: RegistrationsProps) {
  const remove = useDeleteRegistration()
  return (
    <ListView
      label={label}
      pages={pages}
      empty={empty}
      line={(entry, { isOpen, toggle }) => (
        <LineButton
          isOpen={isOpen}
          onClick={toggle}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 md:grid-cols-[minmax(0,1fr)_auto_104px]"
        >
          <span className="min-w-0">
            <Cut className="font-medium">{entry.name || entry.email}</Cut>
            {entry.name && <Cut className="text-meta text-muted">{entry.email}</Cut>}
          </span>
          <Standing entry={entry} />
          <When at={entry.created_at} className="text-right text-meta text-faint max-md:hidden" />
        </LineButton>
      )}
      panel={(entry) => (
        <EntryPanel
          facts={entryFacts(entry)}
          email={entry.email}
          subject={entry.course_title}
          question="Are you sure you want to delete this registration?"
          onDelete={() => remove(entry.id)}
        />
      )}
    />
  )
}
