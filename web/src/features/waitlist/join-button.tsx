import { usePress } from '@/lib/session'
import { useSignIn } from '@/lib/sign-in'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icon'
import { toast } from '@/ui/toast'
import { joining, useIsWaiting, useJoin } from './api'

/** The waitlist button of a card: free, busy, done. */
export function JoinButton({ courseTitle }: { courseTitle: string }) {
  const isWaiting = useIsWaiting(courseTitle)
  const join = useJoin(courseTitle)
  const signIn = useSignIn()
  // Without the list, the button knows what was done here.
  const waiting = isWaiting ?? join.isSuccess
  const label = join.isPending ? 'Joining...' : waiting ? 'On Waitlist' : 'Join Waitlist'
  const press = usePress(joining(courseTitle), (isSignedIn, _, pressed) => {
    if (isSignedIn) return join.mutate()
    toast.error('Please log in to join the waitlist')
    signIn(pressed)
  })
  return (
    <Button
      size={waiting ? 'card' : 'bare'}
      look={waiting ? 'secondary' : 'text'}
      disabled={waiting || join.isPending}
      aria-label={`${label}: ${courseTitle}`}
      {...press}
    >
      <Icon name={waiting ? 'check' : 'bell'} className="size-4" />
      {label}
    </Button>
  )
}
