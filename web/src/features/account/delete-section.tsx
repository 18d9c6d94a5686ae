import './delete-dialog.css'
import { useRef, useState } from 'react'
import { Button } from '@/ui/button'
import { Section } from '@/ui/section'
import { DeleteForm } from './delete-form'

/** The way out for good. */
export function DeleteSection({ email, onGone }: { email: string; onGone: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // A dialog that was closed keeps nothing of what was typed into it.
  const [opening, setOpening] = useState(0)
  return (
    <Section
      title="Delete account"
      lead="Your account goes at once, with your list, your waitlists and your messages. Nobody can bring it back."
    >
      <Button look="danger" onClick={() => dialog.current?.showModal()}>
        Delete my account
      </Button>
      <dialog
        ref={dialog}
        onClose={() => setOpening(opening + 1)}
        aria-labelledby="delete-account"
        className="delete-dialog rounded-sheet border border-hairline bg-surface-1 p-6 text-foreground sm:p-9"
      >
        <h3 id="delete-account" className="font-serif text-[2rem] leading-[1.08] tracking-tight">
          Delete your account?
        </h3>
        <p className="mt-2 mb-8 text-muted">
          <span className="wrap-anywhere text-foreground">{email}</span> and all that belongs to it will be gone.
          Download your data first if you want to keep it.
        </p>
        <DeleteForm key={opening} email={email} onCancel={() => dialog.current?.close()} onGone={onGone} />
      </dialog>
    </Section>
  )
}
