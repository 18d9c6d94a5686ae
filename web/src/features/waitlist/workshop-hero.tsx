import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { useLater } from '@/lib/later'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { Icon } from '@/ui/icon'
import { PageTitle } from '@/ui/page-title'
import { Skeleton } from '@/ui/skeleton'
import { toast } from '@/ui/toast'
import { useWorkshop, type Workshop } from './workshop'
import type { OpenDialog } from './workshop-dialogs'
import { Facts } from './workshop-facts'

const loadDialogs = () => import('./workshop-dialogs').then((module) => module.WorkshopDialogs)

/** The featured workshop over the stage that it is held on. */
export function WorkshopHero({ backdrop }: { backdrop: ReactNode }) {
  const { data, isLoadingError, refetch } = useWorkshop()
  const [dialog, setDialog] = useState<OpenDialog>('none')
  const [Dialogs, bring] = useLater(loadDialogs)
  useEffect(() => {
    const timer = setTimeout(bring, 4000)
    return () => clearTimeout(timer)
  }, [bring])
  // The press shows before the dialog is drawn.
  const show = (name: OpenDialog) => startTransition(() => setDialog(name))
  const open = async (name: OpenDialog) => {
    if (await bring()) show(name)
    else toast.error('This did not open. Please try again.')
  }
  const workshop = data?.rows[0]
  if (data && !workshop)
    return (
      <div className="page pb-0">
        <PageTitle>Courses for people who perform, film and publish</PageTitle>
      </div>
    )
  return (
    <section
      aria-label="Featured workshop"
      // As high as leaves the tops of the first row's cards on a desktop's screen.
      className="relative flex min-h-[min(68svh,640px)] items-end overflow-hidden max-sm:min-h-[min(80svh,680px)]"
    >
      {backdrop}
      <div className="relative w-full px-(--gutter) pt-[calc(var(--header)+32px)] pb-9 sm:pb-11">
        {workshop ? (
          <Pitch workshop={workshop} open={(name) => void open(name)} />
        ) : isLoadingError ? (
          <Failed onRetry={() => void refetch()} />
        ) : (
          <Waiting />
        )}
      </div>
      {workshop && Dialogs && <Dialogs workshop={workshop} dialog={dialog} open={show} />}
    </section>
  )
}

function Pitch({ workshop, open }: { workshop: Workshop; open: (dialog: OpenDialog) => void }) {
  return (
    <div className="max-w-[760px]">
      <p className="kicker text-gold">Live online workshop</p>
      <h1 className="mt-4 font-serif text-hero tracking-[-0.02em] text-balance">{workshop.title}</h1>
      <p className="mt-5 max-w-[52ch] text-lg leading-relaxed text-soft">With {workshop.host}</p>
      <Facts workshop={workshop} />
      <div className="mt-8 flex flex-wrap gap-3">
        <Button look="accent" size="large" onClick={() => open('register')}>
          Register Now
        </Button>
        <Button look="glass" size="large" onClick={() => open('info')}>
          <Icon name="info" />
          More Info
        </Button>
      </div>
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="max-w-[560px]">
      <h1 className="sr-only">Live online workshop</h1>
      <ErrorState title="The workshop could not be loaded" hint="The courses below are still here." onRetry={onRetry} />
    </div>
  )
}

function Waiting() {
  return (
    <div className="max-w-[760px]">
      <Skeleton className="h-4 w-48" />
      <Skeleton className="mt-5 h-20 w-full" />
      <Skeleton className="mt-6 h-5 w-80 max-w-full" />
      <Skeleton className="mt-8 h-13 w-64" />
    </div>
  )
}
