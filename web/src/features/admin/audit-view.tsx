import { useParameter } from '@/lib/address'
import { call } from '@/lib/functions'
import acts from './acts.json'
import { ChoiceField } from './choice-field'
import { ListView } from './list-view'
import { useFeed } from './pages'
import { Badge, Cut, Toolbar, When } from './parts'
import { pageLength } from './reads'

type Line = {
  id: string
  actor_id: string
  actor: string
  action: string
  subject: string
  address: string
  result: string
  created_at: string
  times: number
  last_at: string | null
}

/** What the trail can tell of, in words; a test compares it with what the server records. */
const words: Record<string, string | undefined> = acts

function useTrail(all: boolean) {
  return useFeed<Line, string>({
    key: ['audit', all],
    first: '',
    fetch: async (cursor, signal) => {
      const answer = await call<{ entries: Line[]; next: string }>('audit', { all, cursor, limit: pageLength }, signal)
      return { rows: answer.entries, next: answer.next || undefined }
    },
    onFailure: (error) => console.error('The audit trail could not be loaded.', error),
  })
}

/** What was done, by whom, from where. */
export function AuditView() {
  const [shown] = useParameter('show')
  const pages = useTrail(shown === 'all')
  return (
    <>
      <Toolbar>
        <p className="flex-1 text-meta text-muted">
          Every change an admin makes is recorded here. Nobody can edit this list.
        </p>
        <ChoiceField
          parameter="show"
          label="Show"
          all="Admin activity"
          choices={[['all', 'All activity, including sign-ins']]}
        />
      </Toolbar>
      <ListView label="Audit trail" pages={pages} empty="No activity yet." line={(line) => <TrailLine line={line} />} />
    </>
  )
}

/** Of many refusals in an hour the first stand alone; the others are one line that counts them. */
export function more(line: Pick<Line, 'times' | 'last_at'>): string {
  if (!line.last_at) return ''
  const until = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(line.last_at))
  return ` … and ${line.times} more until ${until}`
}

/** What was done. A right password is a try that went well: the sign-in that it led to is a line of its own. */
export function actOf({ action, result }: Pick<Line, 'action' | 'result'>): string {
  if (action === 'session.try' && result === 'ok') return 'Entered the right password'
  return words[action] ?? action
}

/** Who did it. What admins do is signed, unless it was done on the server itself or with the service key. */
export function actorOf({
  actor,
  actor_id,
  action,
  address,
}: Pick<Line, 'actor' | 'actor_id' | 'action' | 'address'>): string {
  if (actor || actor_id) return actor || actor_id
  if (!action.startsWith('admin.')) return 'Not signed in'
  return address === '' ? 'Command line' : 'Service key'
}

function TrailLine({ line }: { line: Line }) {
  // The id is for looking things up; the words before it are for reading.
  const [, subject = line.subject, id = ''] = /^(.*) \(([0-9a-f-]{36})\)$/.exec(line.subject) ?? []
  return (
    <div
      title={id}
      className="grid h-full min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-4 px-4 md:grid-cols-[minmax(0,1.4fr)_minmax(0,2.4fr)_minmax(0,2fr)_176px]"
    >
      <span className="flex min-w-0 items-center gap-2 font-medium">
        <Cut two>{actOf(line)}</Cut>
        {line.result !== 'ok' && <Badge tone="danger">{line.result}</Badge>}
      </span>
      <Cut className="max-md:order-3 max-md:col-span-2 max-md:text-meta max-md:text-muted">{subject + more(line)}</Cut>
      <span className="min-w-0 text-meta text-muted max-md:order-4 max-md:col-span-2">
        <Cut>{[actorOf(line), line.address].filter(Boolean).join(' · ')}</Cut>
      </span>
      <When at={line.created_at} whole className="text-meta text-faint max-md:order-2 md:text-right" />
    </div>
  )
}
