import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParameter } from '@/lib/address'
import { call } from '@/lib/functions'
import { readAnew } from '@/lib/query'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast'
import { refusalOr } from './course-api'
import { ListView } from './list-view'
import { type Email, states, useEmailCounts, useEmails } from './mail'
import { useAdminKey } from './pages'
import { Badge, Cut, LineButton, type Tone, When } from './parts'

const tones: Record<Email['state'], Tone> = { waiting: 'info', sending: 'info', sent: 'success', failed: 'danger' }
const names: Record<Email['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
}

export function MailView() {
  const [state, setState] = useParameter('state')
  const known = states.find((one) => one === state) ?? ''
  const pages = useEmails(known)
  const counts = useEmailCounts(5)
  const resend = useResend()
  return (
    <>
      <fieldset aria-label="Status" className="mb-4 grid grid-cols-2 gap-3 md:grid-cols-4">
        {states.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={known === one}
            onClick={() => setState(known === one ? '' : one)}
            className="press flex items-baseline justify-between rounded-card border border-hairline bg-surface-1 px-4 py-3 hover:bg-surface-2 aria-pressed:border-muted aria-pressed:bg-surface-2"
          >
            <span className="text-muted">{names[one]}</span>
            <span
              className={`text-xl font-semibold tabular-nums ${one === 'failed' && counts?.failed ? 'text-danger' : ''}`}
            >
              {counts ? counts[one].toLocaleString() : '–'}
            </span>
          </button>
        ))}
      </fieldset>
      <ListView
        label="Emails"
        pages={pages}
        empty={known ? 'No emails with this status.' : 'No emails yet.'}
        line={(letter, { isOpen, toggle }) => (
          <>
            <EmailLine letter={letter} isOpen={isOpen} toggle={toggle} />
            {(letter.state === 'failed' || letter.state === 'waiting') && (
              <Button
                size="small"
                look="ghost"
                className="mx-2"
                disabled={resend.isPending}
                onClick={() => resend.mutate(letter.id)}
              >
                <Icon name="again" className="size-4.5" />
                Resend
              </Button>
            )}
          </>
        )}
        panel={(letter) => <EmailPanel letter={letter} />}
      />
    </>
  )
}

function useResend() {
  const admin = useAdminKey()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call('resend-mail', { id }),
    onSuccess: () => toast.success('Email queued to send again'),
    onError: (error) => toast.error(refusalOr(error, 'Failed to resend the email')),
    onSettled: () => void readAnew(client, [...admin, 'pages', 'mail']),
  })
}

function EmailLine({ letter, isOpen, toggle }: { letter: Email; isOpen: boolean; toggle: () => void }) {
  return (
    <LineButton
      isOpen={isOpen}
      onClick={toggle}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 md:grid-cols-[92px_minmax(0,3fr)_minmax(0,2fr)_112px]"
    >
      <span className="max-md:order-2">
        <Badge tone={tones[letter.state]}>{names[letter.state]}</Badge>
      </span>
      <span className="min-w-0">
        <Cut two className="leading-snug font-medium">
          {letter.subject}
        </Cut>
        <Cut className="text-meta text-muted">{letter.recipient}</Cut>
      </span>
      <span className="min-w-0 text-meta text-muted max-md:hidden">
        <Cut>{letter.last_error}</Cut>
      </span>
      <When at={letter.created_at} className="text-meta text-faint max-md:hidden" />
    </LineButton>
  )
}

function EmailPanel({ letter }: { letter: Email }) {
  const facts = [
    ['To', letter.recipient],
    ['Kind', letter.kind],
    ['Tries', String(letter.attempts)],
    ['Created', <When key="created" at={letter.created_at} whole />],
    ['Next try', letter.next_at && <When key="next" at={letter.next_at} whole />],
    ['Sent', letter.sent_at && <When key="sent" at={letter.sent_at} whole />],
    ['What the mail server said', letter.last_error],
  ] as const
  return (
    <dl className="grid gap-x-8 gap-y-3 border-t border-hairline bg-surface-1 px-4 pt-4 pb-5 sm:grid-cols-3">
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label} className={label.startsWith('What') ? 'min-w-0 sm:col-span-3' : 'min-w-0'}>
            <dt className="text-[0.8125rem] text-faint">{label}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
