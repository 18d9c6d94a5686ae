import { useParameter } from '@/lib/address'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icon'
import { CourseField } from './course-field'
import { useDeleteEntry } from './entry-api'
import { EntryPanel } from './entry-panel'
import { ExportButton } from './export-button'
import { FilterField } from './filter-field'
import { ListView } from './list-view'
import { usePages } from './pages'
import { Badge, Cut, LineButton, Toolbar, When } from './parts'
import { waitlist } from './reads'
import type { Entry } from './rows'

const failed = (error: Error) => console.error('The waitlist could not be loaded.', error)

export function WaitlistTab() {
  const [text] = useParameter('q')
  const [course, setCourse] = useParameter('course')
  const pages = usePages(waitlist(text, course), failed)
  const remove = useDeleteEntry('course_waitlist')
  return (
    <>
      <Toolbar actions={<ExportButton tab="waitlist" />}>
        <FilterField label="Search the waitlist" placeholder="Course, name, email" />
        <CourseField value={course} onChange={setCourse} />
      </Toolbar>
      <ListView
        label="Waitlist"
        pages={pages}
        empty={text || course ? 'Nobody on the waitlist matches.' : 'Nobody is waiting yet.'}
        line={(entry, { isOpen, toggle }) => <EntryLine entry={entry} isOpen={isOpen} toggle={toggle} />}
        panel={(entry) => (
          <EntryPanel
            facts={entryFacts(entry)}
            email={entry.email}
            subject={entry.course_title}
            question="Are you sure you want to delete this entry?"
            onDelete={() => remove.mutate(entry.id)}
          >
            {course === '' && (
              <Button size="small" onClick={() => setCourse(entry.course_title)}>
                <Icon name="search" className="size-4.5" />
                All for this course
              </Button>
            )}
          </EntryPanel>
        )}
      />
    </>
  )
}

export const entryFacts = (entry: Entry) =>
  [
    [entry.workshop_id ? 'Workshop' : 'Course', entry.course_title],
    ['Name', entry.name ?? ''],
    ['Email', entry.email],
    ['Spot', entry.workshop_id ? (entry.spot === null ? 'Waiting' : `Confirmed, spot ${entry.spot}`) : ''],
    ['Added', <When key="at" at={entry.created_at} whole />],
    ['User id', entry.user_id ?? ''],
  ] as const

/** What an entry waits for, in a word. */
export function Standing({ entry }: { entry: Entry }) {
  if (!entry.workshop_id) return <Badge>Course</Badge>
  return entry.spot === null ? <Badge tone="info">Waiting</Badge> : <Badge tone="success">Spot {entry.spot}</Badge>
}

export function EntryLine({ entry, isOpen, toggle }: { entry: Entry; isOpen: boolean; toggle: () => void }) {
  return (
    <LineButton
      isOpen={isOpen}
      onClick={toggle}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 md:grid-cols-[minmax(0,2.4fr)_minmax(0,2.4fr)_104px_112px]"
    >
      <span className="min-w-0">
        <Cut two className="leading-snug font-medium">
          {entry.course_title}
        </Cut>
        <Cut className="text-meta text-muted md:hidden">{entry.email}</Cut>
      </span>
      <span className="min-w-0 max-md:hidden">
        <Cut>{entry.name || entry.email}</Cut>
        {entry.name && <Cut className="text-meta text-muted">{entry.email}</Cut>}
      </span>
      <span className="max-md:row-span-2">
        <Standing entry={entry} />
      </span>
      <When at={entry.created_at} className="text-meta text-faint" />
    </LineButton>
  )
}
