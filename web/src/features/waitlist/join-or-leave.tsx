import { usePress } from '@/lib/session'
import { useSignIn } from '@/lib/sign-in'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icon'
import { toast } from '@/ui/toast'
import { joining, useEntries } from './api'
import { useJoinFromPage } from './join-from-page'
import { useLeave } from './leave'

const made = (title?: string) => (title ? { id: '', course_id: null, course_title: title, created_at: '' } : undefined)

/** The waitlist button of the course page, which also leaves again. Beside another way in it is the second one. */
export function JoinOrLeave({ courseTitle, isSecond = false }: { courseTitle: string; isSecond?: boolean }) {
  const { data: entries } = useEntries()
  const join = useJoinFromPage(courseTitle)
  const leave = useLeave()
  const signIn = useSignIn()
  // Without the list, the button knows what was done here.
  const entry = entries ? entries.rows.find((row) => row.course_title === courseTitle) : made(join.data && courseTitle)
  const busy = join.isPending || leave.isPending
  const press = usePress(joining(courseTitle), (isSignedIn, isAgain, pressed) => {
    if (busy) return
    if (!isSignedIn)
      return toast.error('Authentication required', 'Please sign in to join the waitlist', {
        label: 'Sign in',
        onClick: () => signIn(pressed),
      })
    if (entry && !isAgain) leave.mutate(entry, { onSuccess: join.reset })
    else join.mutate()
  })
  // Disabled, it would lose the focus of whoever pressed it by keyboard.
  return (
    <Button look={entry || isSecond ? 'secondary' : 'accent'} size="large" aria-disabled={busy} {...press}>
      <Icon name={entry ? 'check' : 'bell'} />
      {join.isPending ? 'Joining...' : entry ? 'Leave Waitlist' : 'Join Waitlist'}
    </Button>
  )
}
