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
      lead={
        email
          ? 'This deletes your account right away, along with your list, your courses, notes and certificates, your waitlists and your messages. It can’t be undone.'
          : 'This deletes your list right away and signs you out. It can’t be undone.'
      }
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
            <span className="wrap-anywhere text-foreground">{email || 'Your guest account'}</span> and everything in it
            will be deleted. If you have a workshop spot, you give it up. If you have a certificate, it can no longer be
            verified. Download your data first if you want to keep it.
          </>
        }
      >
        <DeleteForm email={email} onCancel={() => setOpen(false)} onGone={onGone} />
      </Dialog>
    </Section>
  )
}
