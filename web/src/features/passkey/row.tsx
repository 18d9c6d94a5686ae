import { useState } from 'react'
import { ago, localDate } from '@/lib/ago'
import { explain } from '@/lib/auth-call'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { nameOf, type Passkey, useRenamePasskey } from './api'
import { PasskeyDrawing } from './drawing'

type PasskeyRowProps = { user: string; passkey: Passkey; isRemoving: boolean; onRemove: () => void }

export function PasskeyRow({ user, passkey, isRemoving, onRemove }: PasskeyRowProps) {
  const name = nameOf(passkey)
  const [isRenaming, setRenaming] = useState(false)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-hairline py-4">
      <PasskeyDrawing className="text-muted" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-meta text-muted">{whereabouts(passkey)}</p>
        <p className="text-meta text-muted">
          {passkey.last_used_at ? (
            <time dateTime={passkey.last_used_at}>Last used {ago(passkey.last_used_at, Date.now())}</time>
          ) : (
            'Not used yet'
          )}
        </p>
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:pl-9">
        <Button size="small" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Confirm
          trigger={
            <Button size="small" aria-label={`Remove ${name}`} disabled={isRemoving}>
              Remove
            </Button>
          }
          question={`Remove ${name}?`}
          detail="You can no longer sign in with it, and the devices it signed in are signed out."
          action="Remove"
          onConfirm={onRemove}
        />
      </div>
      <Dialog open={isRenaming} onOpenChange={setRenaming} title="Rename passkey">
        <RenameForm user={user} passkey={passkey} onDone={() => setRenaming(false)} />
      </Dialog>
    </li>
  )
}

/** Where a passkey was made and whether it is elsewhere, too, and since when. */
function whereabouts(passkey: Passkey): string {
  const device = passkey.device !== nameOf(passkey) ? passkey.device : ''
  const since = `added ${localDate(passkey.created_at)}`
  const parts = [device, passkey.synced && 'synced', since].filter(Boolean).join(' · ')
  return parts.charAt(0).toUpperCase() + parts.slice(1)
}

function RenameForm({ user, passkey, onDone }: { user: string; passkey: Passkey; onDone: () => void }) {
  const rename = useRenamePasskey(user, onDone)
  const [isMissing, setMissing] = useState(false)
  const error = isMissing ? 'Enter a name' : rename.isError ? explain(rename.error) : undefined
  return (
    <form
      noValidate
      method="post"
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const friendlyName = String(new FormData(event.currentTarget).get('name')).trim()
        setMissing(!friendlyName)
        if (friendlyName) rename.mutate({ passkeyId: passkey.id, friendlyName })
      }}
    >
      <Field label="Name" hint="So you can tell it apart, such as the device it’s on." error={error}>
        {(wiring) => (
          <Input
            {...wiring}
            name="name"
            defaultValue={nameOf(passkey)}
            autoComplete="off"
            maxLength={120}
            required
            onChange={() => setMissing(false)}
          />
        )}
      </Field>
      <Button type="submit" look="accent" size="large" disabled={rename.isPending}>
        {rename.isPending ? 'Saving...' : 'Save'}
      </Button>
    </form>
  )
}
