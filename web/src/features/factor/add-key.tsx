import { Dialog } from '@/ui/dialog'
import type { AddProps } from './add-app'
import { useAdded, useAddKey } from './factors'
import { freeName, NameForm } from './name-form'

/** Puts a security key, or this device as one, on the account: it is asked for after the password. */
export function AddKey({ user, open, taken, onClose }: AddProps) {
  const add = useAddKey()
  const added = useAdded(user)
  const close = () => {
    add.reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && close()}
      title="Security key"
      description="A key on your key ring, your fingerprint or your phone, asked for after your password. It only works on this site, so nobody can trick you into giving it away."
    >
      <NameForm
        suggestion={freeName('Security key', taken)}
        hint="So you can tell it apart. Your browser will ask for the key next."
        busy="Waiting for your key..."
        isPending={add.isPending}
        error={add.error}
        onName={(name) =>
          add.mutate(name, {
            onSuccess: () => {
              close()
              void added(name)
            },
          })
        }
      />
    </Dialog>
  )
}
