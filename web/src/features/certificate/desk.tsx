import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsAdmin } from '@/lib/auth-role'
import { nameOf } from '@/lib/name'
import { readQuery } from '@/lib/query'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { Field, Input } from '@/ui/field'
import { ReasonDialog } from '@/ui/reason-dialog'
import { type Certificate, nameless } from './api'
import { knownOf, useSignIt, useWithdraw } from './desk-api'

/** What its holder and admins can do with a certificate. */
export function Desk({ certificate, user }: { certificate: Certificate; user: string }) {
  const { code, holder, revoked_at } = certificate
  const { data } = useQuery(readQuery(knownOf(code)))
  const { data: isAdmin = false } = useIsAdmin(user)
  const known = data?.rows[0]
  const mayName = known?.user_id === user && holder === nameless && revoked_at === null
  const reason = known?.revoked_for
  if (!mayName && !reason && !isAdmin) return null
  return (
    <div className="certificate-desk mt-10 grid max-w-xl gap-6 border-t border-hairline pt-8">
      {mayName && <SignIt code={code} />}
      {reason && (
        <p className="wrap-anywhere text-muted">
          Reason: <bdi>{reason}</bdi>
        </p>
      )}
      {isAdmin && <Withdraw certificate={certificate} />}
    </div>
  )
}

function SignIt({ code }: { code: string }) {
  const { session } = useSession()
  const known = session ? nameOf(session) : ''
  const [name, setName] = useState(known)
  const [error, setError] = useState('')
  const [isAsking, setAsking] = useState(false)
  const sign = useSignIt(code, known)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setError('Enter your name')
    if (!sign.isPending) setAsking(true)
  }
  return (
    <form aria-label="Your name on it" method="post" noValidate onSubmit={submit} className="grid gap-5">
      <h2 className="text-lg font-semibold">Put your name on it</h2>
      <Field
        label="Name"
        hint="Your account had no name when this was issued. You can add it once."
        error={error || undefined}
      >
        {(wiring) => (
          <Input
            {...wiring}
            value={name}
            dir="auto"
            autoComplete="name"
            maxLength={100}
            onChange={({ target }) => {
              setName(target.value)
              setError('')
            }}
          />
        )}
      </Field>
      <Button type="submit" look="accent" className="justify-self-start">
        {sign.isPending ? 'Saving...' : 'Add My Name'}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        question={`Put “${name.trim()}” on your certificate?`}
        detail="You can’t change it later."
        action="Add My Name"
        onConfirm={() => sign.mutate(name.trim())}
      />
    </form>
  )
}

function Withdraw({ certificate: { code, holder, revoked_at } }: { certificate: Certificate }) {
  const [isAsking, setAsking] = useState(false)
  const change = useWithdraw(code)
  if (revoked_at !== null)
    return (
      <Button className="justify-self-start" onClick={() => !change.isPending && change.mutate(null)}>
        Restore Certificate
      </Button>
    )
  return (
    <>
      <Button look="danger" className="justify-self-start" onClick={() => setAsking(true)}>
        Withdraw Certificate
      </Button>
      {isAsking && (
        <ReasonDialog
          title="Withdraw Certificate"
          description={
            <>
              Its page says from now on that the certificate of <bdi>{holder}</bdi> was withdrawn. You can restore it.
            </>
          }
          hint="The holder and admins can read it."
          onClose={() => setAsking(false)}
          onGive={(reason) => change.mutate(reason)}
        />
      )}
    </>
  )
}
