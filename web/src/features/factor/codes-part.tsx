import type { Session } from '@supabase/auth-js'
import { useState } from 'react'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { useOwnerFirst } from '@/ui/owner-check'
import { useCodesLeft, useMakeCodes, useRemoveCodes } from './codes'
import { CodesSheet } from './codes-sheet'

type CodesPartProps = { session: Session; hasCodes: boolean; onRemoved: () => void }

/** The recovery codes of an account that has a second step. */
export function CodesPart({ session, hasCodes, onRemoved }: CodesPartProps) {
  const user = session.user.id
  const [codes, setCodes] = useState<string[] | null>(null)
  const make = useMakeCodes(user, hasCodes, setCodes)
  const remove = useRemoveCodes(user, onRemoved)
  const { orAfter, ask } = useOwnerFirst(
    'Recovery codes open your account, so we check that it’s you before we change them.',
  )
  const makeThem = () => make.mutate(undefined, orAfter(makeThem))
  const removeThem = () => remove.mutate(undefined, orAfter(removeThem))
  const isBusy = make.isPending || remove.isPending
  return (
    <div className="mt-6 border-t border-hairline pt-5">
      <h3 className="font-medium">Recovery codes</h3>
      {hasCodes ? (
        <>
          <Left user={user} />
          <div className="mt-4 flex flex-wrap gap-3">
            <Confirm
              trigger={<Button disabled={isBusy}>Make new codes</Button>}
              question="Make new recovery codes?"
              detail="You get ten new ones, and the old ones stop working."
              action="Make new codes"
              onConfirm={makeThem}
            />
            <Confirm
              trigger={
                <Button look="ghost" aria-label="Remove recovery codes" disabled={isBusy}>
                  Remove
                </Button>
              }
              question="Remove your recovery codes?"
              detail="You can no longer use them to sign in. Your other methods still work."
              action="Remove"
              onConfirm={removeThem}
            />
          </div>
        </>
      ) : (
        <>
          <p className="mt-1 text-meta text-muted">
            If you lose your phone or key, a recovery code lets you in. You get ten, and each works once.
          </p>
          <Button className="mt-4 w-full sm:w-auto" disabled={isBusy} onClick={makeThem}>
            {make.isPending ? 'Making codes...' : 'Get recovery codes'}
          </Button>
        </>
      )}
      <CodesSheet email={session.user.email ?? ''} codes={codes} onSaved={() => setCodes(null)} />
      {ask}
    </div>
  )
}

function Left({ user }: { user: string }) {
  const { data: left, isLoadingError } = useCodesLeft(user)
  const words =
    left === undefined
      ? isLoadingError
        ? 'We couldn’t check how many codes you have left.'
        : 'Checking how many codes you have left…'
      : left === 0
        ? 'You’ve used all of them. Make new ones, so that a lost phone doesn’t lock you out.'
        : `${left} of 10 left. Each works once.`
  return (
    <p role="status" className={`mt-1 text-meta ${left !== undefined && left < 3 ? 'text-danger' : 'text-muted'}`}>
      {words}
    </p>
  )
}
