import type { Factor, Session } from '@supabase/auth-js'
import { useState } from 'react'
import { localDate } from '@/lib/ago'
import { keysWork } from '@/lib/auth-key'
import { guards } from '@/lib/auth-level'
import { Drawing, Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { ErrorState } from '@/ui/error-state'
import { useOwnerFirst } from '@/ui/owner-check'
import { Section, useHeading } from '@/ui/section'
import { Skeleton } from '@/ui/skeleton'
import { AddApp } from './add-app'
import { AddKey } from './add-key'
import { kindOf, nameOf } from './api'
import { areCodes } from './codes'
import { CodesPart } from './codes-part'
import { useFactors, useRemoveFactor } from './factors'

type FactorSectionProps = {
  session: Session
  /** What comes before a new second step; it goes on by itself. */
  first?: (then: () => void) => unknown
}

/** The second steps of an account: what guards it, and what could. */
export function FactorSection({ session, first = (then) => then() }: FactorSectionProps) {
  const user = session.user.id
  const { data: factors, isLoadingError, refetch } = useFactors(user)
  const [adding, setAdding] = useState<'app' | 'key' | null>(null)
  const { box, toHeading } = useHeading()
  const close = () => setAdding(null)
  return (
    <Section
      title="Two-step verification"
      lead="Adds a code from your phone or a security key when you sign in, so that a stolen password isn’t enough."
    >
      <div ref={box}>
        {isLoadingError ? (
          <ErrorState
            title="Two-step verification could not be loaded"
            hint="It still protects your account."
            onRetry={() => void refetch()}
          />
        ) : factors === undefined ? (
          <div role="status" aria-label="Loading two-step verification">
            <Skeleton className="h-13 bg-surface-2" />
          </div>
        ) : (
          <>
            <Factors user={user} factors={factors} onRemoved={toHeading} />
            <div className="mt-4 grid gap-3 sm:flex">
              <Button onClick={() => void first(() => setAdding('app'))}>
                <Icon name="plus" />
                Add an authenticator app
              </Button>
              {keysWork() && (
                <Button onClick={() => void first(() => setAdding('key'))}>
                  <Icon name="plus" />
                  Add a security key
                </Button>
              )}
            </div>
            {factors.some(guards) && (
              <CodesPart session={session} hasCodes={factors.some(areCodes)} onRemoved={toHeading} />
            )}
            <AddApp user={user} open={adding === 'app'} taken={factors.map(nameOf)} onClose={close} />
            <AddKey user={user} open={adding === 'key'} taken={factors.map(nameOf)} onClose={close} />
          </>
        )}
      </div>
    </Section>
  )
}

function Factors({ user, factors, onRemoved }: { user: string; factors: Factor[]; onRemoved: () => void }) {
  const remove = useRemoveFactor(user, onRemoved)
  const { orAfter, ask } = useOwnerFirst(
    'Two-step verification protects your account, so we check that it’s you before we remove a method.',
  )
  const goes = (factor: string): void =>
    remove.mutate(
      factor,
      orAfter(() => goes(factor)),
    )
  if (factors.length === 0) return <p className="text-muted">Two-step verification is off.</p>
  return (
    <>
      <ul>
        {factors.filter(guards).map((factor) => (
          <li key={factor.id} className="flex items-center gap-4 border-t border-hairline py-4">
            <FactorDrawing type={factor.factor_type} />
            <div className="min-w-0 flex-1">
              <p className="font-medium wrap-anywhere">{nameOf(factor)}</p>
              <p className="text-meta text-muted">
                {kindOf(factor)}, added {localDate(factor.created_at)}
              </p>
            </div>
            <Confirm
              trigger={
                <Button size="small" aria-label={`Remove ${nameOf(factor)}`} disabled={remove.isPending}>
                  Remove
                </Button>
              }
              question={`Remove ${nameOf(factor)}?`}
              detail={whatGoes(factors)}
              action="Remove"
              onConfirm={() => goes(factor.id)}
            />
          </li>
        ))}
      </ul>
      {ask}
    </>
  )
}

/** What its owner loses with a method. Recovery codes go with the last one that guards the account. */
function whatGoes(all: readonly Factor[]): string {
  if (all.filter(guards).length > 1) return 'You can no longer use it to sign in. Your other methods still work.'
  return all.some(areCodes)
    ? 'This turns off two-step verification, and your recovery codes stop working.'
    : 'This turns off two-step verification: it’s the only method you have.'
}

function FactorDrawing({ type }: { type: string }) {
  return (
    <Drawing className="text-muted">
      {type === 'webauthn' ? (
        <path d="M8 15.5a4.5 4.5 0 1 1 4.2-6.1l8.3.1v3.5h-2.2v2.3h-3v-2.3h-3.1A4.5 4.5 0 0 1 8 15.5Zm-.5-4.6v.1" />
      ) : (
        <path d="M8 3.5h8A1.5 1.5 0 0 1 17.5 5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5Zm3 14h2" />
      )}
    </Drawing>
  )
}
