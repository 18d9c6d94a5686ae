import type { Session } from '@supabase/auth-js'
import { wantsOwner } from '@/lib/auth-again'
import { keysWork } from '@/lib/auth-key'
import { settings } from '@/lib/settings'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { useOwnerFirst } from '@/ui/owner-check'
import { Section, useHeading } from '@/ui/section'
import { Skeleton } from '@/ui/skeleton'
import { addingRefusal, type Passkey, useAddPasskey, usePasskeys, useRemovePasskey } from './api'
import { PasskeyRow } from './row'

/** The passkeys of an account: what they are, and one more. */
export function PasskeySection({ session }: { session: Session }) {
  const user = session.user.id
  const { data: passkeys, isLoadingError, refetch } = usePasskeys(user)
  const { box, toHeading } = useHeading()
  if (!settings().passkeys) return null
  return (
    <Section
      title="Passkeys"
      lead="Sign in with your fingerprint, face or screen lock instead of a password. A passkey only works on this site, so nobody can trick you into giving it away."
    >
      <div ref={box}>
        {isLoadingError ? (
          <ErrorState
            title="Your passkeys could not be loaded"
            hint="You can still sign in with them."
            onRetry={() => void refetch()}
          />
        ) : passkeys === undefined ? (
          <div role="status" aria-label="Loading your passkeys">
            <Skeleton className="h-13 bg-surface-2" />
          </div>
        ) : (
          <Passkeys user={user} passkeys={passkeys} onRemoved={toHeading} />
        )}
      </div>
    </Section>
  )
}

type PasskeysProps = { user: string; passkeys: Passkey[]; onRemoved: () => void }

function Passkeys({ user, passkeys, onRemoved }: PasskeysProps) {
  const add = useAddPasskey(user)
  const remove = useRemovePasskey(user, onRemoved)
  const { orAfter, ask } = useOwnerFirst(
    'A passkey can sign in to your account, so we check that it’s you before we add or remove one.',
  )
  const addOne = () => add.mutate(undefined, orAfter(addOne))
  const removeOne = (id: string) =>
    remove.mutate(
      id,
      orAfter(() => removeOne(id)),
    )
  const refusal = add.isError && !wantsOwner(add.error) ? addingRefusal(add.error) : ''
  return (
    <>
      {passkeys.length === 0 ? (
        <p className="text-muted">You have no passkeys yet.</p>
      ) : (
        <ul>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              user={user}
              passkey={passkey}
              isRemoving={remove.isPending}
              onRemove={() => removeOne(passkey.id)}
            />
          ))}
        </ul>
      )}
      {keysWork() ? (
        <Button className="mt-4 w-full sm:w-auto" disabled={add.isPending} onClick={addOne}>
          <Icon name="plus" />
          {add.isPending ? 'Waiting for your device...' : 'Add a passkey'}
        </Button>
      ) : (
        <p className="mt-4 text-meta text-muted">This browser can’t make passkeys. Open Settings in another one.</p>
      )}
      {refusal && (
        <p role="alert" className="mt-2 text-meta text-danger">
          {refusal}
        </p>
      )}
      {ask}
    </>
  )
}
