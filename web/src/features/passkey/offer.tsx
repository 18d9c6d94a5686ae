import type { Session } from '@supabase/auth-js'
import { wantsOwner } from '@/lib/auth-again'
import { keysWork } from '@/lib/auth-key'
import { claimsOf } from '@/lib/auth-level'
import { auth, currentSession, useSession } from '@/lib/session'
import { settings } from '@/lib/settings'
import { showAside } from '@/ui/aside'
import { Button } from '@/ui/button'
import { addingRefusal, useAddPasskey } from './api'
import { PasskeyDrawing } from './drawing'

// Who was offered a passkey on this device. It outlives the session, or everybody would be asked at each sign-in.
const askedKey = 'greenroom-passkey-offered'
const mostAsked = 50

function asked(): string[] {
  try {
    return (localStorage.getItem(askedKey) ?? '').split(' ').filter(Boolean)
  } catch {
    return []
  }
}

function noteAsked(user: string) {
  try {
    localStorage.setItem(askedKey, [user, ...asked()].slice(0, mostAsked).join(' '))
  } catch {
    // Where nothing can be kept the offer comes again.
  }
}

// The page that they came for has the first word, and the welcome the second.
const pause = 5000

/** Offers a passkey to who has just signed in by a password: once for each person on a device that can make one. */
export async function offerPasskey(session: Session) {
  const user = session.user.id
  const byPassword = claimsOf(session).amr?.some(({ method }) => method === 'password')
  if (!settings().passkeys || !keysWork() || !byPassword || asked().includes(user)) return
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return
  const { data } = await (await auth()).passkey.list()
  if (data?.length !== 0) return
  const show = () => {
    if (currentSession().session?.user.id !== user || asked().includes(user)) return
    noteAsked(user)
    showAside(() => <Offer user={user} />)
  }
  setTimeout(() => (matchMedia('(max-width: 639px)').matches ? whenGoingOn(show) : show()), pause)
}

/** Waits for a scroll or the next page: on a narrow screen the offer would cover what the page is for. */
function whenGoingOn(then: () => void) {
  const { pathname } = location
  const go = () => {
    removeEventListener('scroll', go)
    pages.disconnect()
    then()
  }
  // A page that follows has its own title.
  const pages = new MutationObserver(() => location.pathname !== pathname && go())
  pages.observe(document.head, { childList: true, characterData: true, subtree: true })
  addEventListener('scroll', go, { passive: true })
}

/** Goes, and leaves the reader at the page. */
function close() {
  showAside(null)
  document.getElementById('content')?.focus({ preventScroll: true })
}

export function Offer({ user }: { user: string }) {
  const { session } = useSession()
  const add = useAddPasskey(user)
  // It is theirs alone.
  if (session?.user.id !== user) return null
  const refusal = add.isError
    ? wantsOwner(add.error)
      ? 'It’s been a while since you signed in. You can add a passkey in Settings.'
      : addingRefusal(add.error)
    : ''
  return (
    <section
      aria-label="Passkey"
      className="pointer-events-auto max-w-104 animate-[rise_160ms_var(--ease-out)_both] rounded-card border border-hairline bg-surface-2 p-5 sm:ml-auto"
    >
      <div className="flex gap-4">
        <PasskeyDrawing className="mt-0.5 text-accent" />
        <div className="min-w-0">
          <h2 className="font-medium">Next time without a password?</h2>
          <p className="mt-1 text-meta text-muted">
            A passkey signs you in with your fingerprint, face or screen lock. Nobody can guess or steal it.
          </p>
        </div>
      </div>
      {refusal && (
        <p role="alert" className="mt-3 text-meta text-danger">
          {refusal}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button look="primary" size="small" disabled={add.isPending} onClick={() => add.mutate()}>
          {add.isPending ? 'Waiting...' : 'Add a passkey'}
        </Button>
        <Button look="ghost" size="small" onClick={close}>
          Not now
        </Button>
      </div>
    </section>
  )
}
