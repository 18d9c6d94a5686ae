import { Dialog } from '@/ui/dialog'
import type { AddProps } from './add-app'
import { useAdded, useAddKey } from './factors'
import { freeName, NameForm } from './name-form'

/** Puts a security key, or a passkey of this device, on the account. */
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
      title="Security key or passkey"
      description="A key on your key ring, your fingerprint or your phone. It answers to this site alone, so nobody can trick it out of you."
    >
      <NameForm
        suggestion={freeName('Security key', taken)}
        hint="To tell it from others. Your browser asks for the key next."
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
