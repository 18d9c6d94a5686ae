import { useState } from 'react'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Section } from '@/ui/section'
import { DeleteForm } from './delete-form'

/** The way out for good. */
export function DeleteSection({ email, onGone }: { email: string; onGone: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <Section
      title="Delete account"
      lead="Your account goes at once, with your list, your waitlists and your messages. Nobody can bring it back."
    >
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Delete your account?"
        description={
          <>
            <span className="wrap-anywhere text-foreground">{email}</span> and all that belongs to it will be gone.
            Download your data first if you want to keep it.
          </>
        }
      >
        <DeleteForm email={email} onCancel={() => setOpen(false)} onGone={onGone} />
      </Dialog>
    </Section>
  )
}
