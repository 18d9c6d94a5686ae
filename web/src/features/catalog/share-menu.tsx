import { type KeyboardEvent, useState } from 'react'
import { useLater } from '@/lib/later'
import { toast } from '@/ui/toast'
import { ShareButton } from './share-button'

const loadWays = () => import('./share-ways').then((module) => module.ShareWays)

/** Passes a course on. Few ask for it, so the menu is fetched when a hand or the focus is near, and stands once wanted. */
export function ShareMenu({ title }: { title: string }) {
  const [Ways, bring] = useLater(loadWays)
  const [wantedBy, want] = useState<'keyboard' | 'pointer'>()
  if (Ways && wantedBy) return <Ways title={title} by={wantedBy} />
  const open = async (by: 'keyboard' | 'pointer') => {
    if (await bring()) want(by)
    else toast.error('This did not open. Please try again.')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    void open('keyboard')
  }
  return (
    <ShareButton
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={bring}
      onFocus={bring}
      // A press of a key clicks no number of times.
      onClick={({ detail }) => void open(detail === 0 ? 'keyboard' : 'pointer')}
      onKeyDown={onKeyDown}
    />
  )
}
