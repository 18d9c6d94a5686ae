import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { Section } from '@/ui/section'
import { DataSection } from './data-section'
import { DeleteSection } from './delete-section'
import { DeviceSection } from './device-section'
import { LeaveDrawing } from './drawings'
import { TakeAccount } from './take-account'

/** What a guest can set: an account first. Without one there is no password, no second step and no way back. */
export function GuestSettings({ user, onGone }: { user: string; onGone: () => void }) {
  return (
    <>
      <Section
        title="You’re browsing as a guest"
        lead="Your list is kept in this browser only. With an account you find it on every device."
      >
        <TakeAccount />
      </Section>
      <DeviceSection user={user} lead="Only this browser knows you. Whoever uses it can see your list." />
      <DataSection />
      <DeleteSection email="" onGone={onGone} />
    </>
  )
}

/** A guest who logs out cannot come back. */
export function LeaveAsGuest({ disabled, onLeave }: { disabled: boolean; onLeave: () => void }) {
  return (
    <Confirm
      trigger={
        <Button look="ghost" size="large" className="sm:ml-auto" disabled={disabled}>
          <LeaveDrawing />
          Log out
        </Button>
      }
      question="Log out as a guest?"
      detail="Your list will be gone: without an account you can’t come back to it."
      action="Log out"
      onConfirm={onLeave}
    />
  )
}
