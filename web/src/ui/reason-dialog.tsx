import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { Field, Input } from './field'

type ReasonDialogProps = {
  /** What is done; its button says the same. */
  title: string
  description: ReactNode
  /** Who reads the reason. */
  hint: string
  onClose: () => void
  onGive: (reason: string) => void
}

/** Asks why, before something is taken from somebody. */
export function ReasonDialog({ title, description, hint, onClose, onGive }: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  const [error, setError] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setError('Please say why.')
    onGive(reason.trim())
    onClose()
  }
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={title} description={description}>
      <form noValidate aria-label={title} onSubmit={submit} className="grid gap-4">
        <Field label="Reason" hint={hint} error={error || undefined}>
          {(wiring) => (
            <Input
              {...wiring}
              value={reason}
              maxLength={500}
              dir="auto"
              autoComplete="off"
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        <div className="flex gap-3">
          <Button type="submit" look="danger">
            {title}
          </Button>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
