import type { Session, UserIdentity } from '@supabase/auth-js'
import { localDate } from '@/lib/ago'
import { providerName } from '@/lib/auth-provider'
import { settings } from '@/lib/settings'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { ErrorState } from '@/ui/error-state'
import { useOwnerFirst } from '@/ui/owner-check'
import { ProviderMark } from '@/ui/provider-mark'
import { Section, useHeading } from '@/ui/section'
import { Skeleton } from '@/ui/skeleton'
import { useConnect, useConnected, useDisconnect, useIdentities } from './connections'
import type { First } from './prove-address'

/** Whether there is anything but a password to show. */
export const hasConnections = ({ user }: Session) =>
  settings().providers.length > 0 || (user.identities ?? []).some(({ provider }) => provider !== 'email')

/** The ways in that an account has, and could have. */
export function ConnectionSection({ session, first }: { session: Session; first: First }) {
  useConnected(session)
  const { data: identities, isLoadingError, refetch } = useIdentities(session.user.id)
  const { box, toHeading } = useHeading()
  return (
    <Section title="Connected accounts" lead="Any of these can sign in to your account.">
      <div ref={box}>
        {isLoadingError ? (
          <ErrorState
            title="Your connected accounts could not be loaded"
            hint="You can still sign in with them."
            onRetry={() => void refetch()}
          />
        ) : identities === undefined ? (
          <div role="status" aria-label="Loading your connected accounts">
            <Skeleton className="h-13 bg-surface-2" />
          </div>
        ) : (
          <Connections session={session} first={first} identities={identities} onDone={toHeading} />
        )}
      </div>
    </Section>
  )
}

type ConnectionsProps = { session: Session; first: First; identities: UserIdentity[]; onDone: () => void }

const line = 'flex items-center gap-4 border-t border-hairline py-4'

function Connections({ session, first, identities, onDone }: ConnectionsProps) {
  const connect = useConnect(session)
  const disconnect = useDisconnect(session.user.id, onDone)
  const { orAfter, ask } = useOwnerFirst(
    'These can sign in to your account, so we check that it’s you before we change them.',
  )
  const missing = settings().providers.filter((name) => !identities.some(({ provider }) => provider === name))
  return (
    <>
      <ul>
        {identities.map((identity) => (
          <li key={identity.identity_id} className={line}>
            <Mark provider={identity.provider} />
            <div className="min-w-0 flex-1">
              <p className="font-medium">{providerName(identity.provider)}</p>
              <p className="text-meta wrap-anywhere text-muted">{identity.identity_data?.email}</p>
              <p className="text-meta text-muted">{lastUse(identity)}</p>
            </div>
            {identities.length > 1 && (
              <Disconnect
                identity={identity}
                isPending={disconnect.isPending}
                onConfirm={() =>
                  disconnect.mutate(
                    identity,
                    orAfter(() => disconnect.mutate(identity)),
                  )
                }
              />
            )}
          </li>
        ))}
        {missing.map((provider) => (
          <li key={provider} className={line}>
            <Mark provider={provider} />
            <div className="min-w-0 flex-1">
              <p className="font-medium">{providerName(provider)}</p>
              <p className="text-meta text-muted">Not connected</p>
            </div>
            <Button
              size="small"
              aria-label={`Connect ${providerName(provider)}`}
              disabled={connect.isPending}
              onClick={() =>
                void first(() =>
                  connect.mutate(
                    provider,
                    orAfter(() => connect.mutate(provider)),
                  ),
                )
              }
            >
              Connect
            </Button>
          </li>
        ))}
      </ul>
      {ask}
    </>
  )
}

const lastUse = ({ last_sign_in_at }: UserIdentity) => last_sign_in_at && `Last used ${localDate(last_sign_in_at)}`

type DisconnectProps = { identity: UserIdentity; isPending: boolean; onConfirm: () => void }

function Disconnect({ identity: { provider }, isPending, onConfirm }: DisconnectProps) {
  const name = providerName(provider)
  const [verb, detail] =
    provider === 'email'
      ? ['Remove', 'Your password will stop working. You’ll sign in with your connected accounts only.']
      : ['Disconnect', `You’ll no longer be able to sign in with ${name}. Nothing else about your account changes.`]
  return (
    <Confirm
      trigger={
        <Button size="small" aria-label={`${verb} ${name}`} disabled={isPending}>
          {verb}
        </Button>
      }
      question={`${verb} ${name}?`}
      detail={detail}
      action={verb}
      onConfirm={onConfirm}
    />
  )
}

const Mark = ({ provider }: { provider: string }) =>
  provider === 'email' ? <Icon name="mail" className="text-muted" /> : <ProviderMark provider={provider} />
