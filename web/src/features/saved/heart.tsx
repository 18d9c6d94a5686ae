import { clsx } from 'clsx'
import { usePress } from '@/lib/session'
import { useSignIn } from '@/lib/sign-in'
import { Icon } from '@/ui/icon'
import { IconButton } from '@/ui/icon-button'
import { toast } from '@/ui/toast'
import { useIsSaved, useToggleSaved } from './api'

/** The heart of a course: filled when it is on the reader's list. */
export function Heart({ courseId, title }: { courseId: string; title: string }) {
  const isSaved = useIsSaved(courseId)
  const toggle = useToggleSaved(courseId)
  const saving = { button: courseId, words: `save ${title} to My List` }
  const signIn = useSignIn()
  // Without the list, the heart knows what was pressed here and not refused.
  const liked = isSaved ?? (toggle.variables === true && !toggle.isError)
  const press = usePress(saving, (isSignedIn, isAgain, pressed) => {
    if (!isSignedIn)
      return toast.error('Please log in to save courses', undefined, {
        label: 'Sign in',
        onClick: () => signIn(pressed),
      })
    toggle.mutate(isAgain || !liked)
  })
  return (
    <IconButton
      label={liked ? `Remove ${title} from My List` : `Save ${title} to My List`}
      aria-pressed={liked}
      {...press}
      className="bg-shade hover:bg-veil"
    >
      <Icon
        name="heart"
        filled={liked}
        // It beats for who pressed it, not for who finds it filled.
        className={clsx(liked && 'text-accent', liked && toggle.variables && 'beat')}
      />
    </IconButton>
  )
}
