import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { useLater } from '@/lib/later'
import { report } from '@/lib/report'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast'

const loadMenu = () => import('@/ui/menu').then((module) => module.Menu)

const pageAddress = () => location.origin + location.pathname

function links(title: string) {
  const text = encodeURIComponent(title)
  const url = encodeURIComponent(pageAddress())
  return [
    { label: 'Email', href: `mailto:?subject=${text}&body=${url}` },
    { label: 'WhatsApp', href: `https://wa.me/?text=${text}%20${url}` },
    { label: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${url}` },
    { label: 'Twitter', href: `https://twitter.com/intent/tweet?text=${text}&url=${url}` },
    { label: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${url}` },
  ]
}

function actions(title: string) {
  const copy = {
    label: 'Copy link',
    icon: <Icon name="link" className="text-muted" />,
    onSelect: () => void copyLink(),
  }
  const share = {
    label: 'More ways to share',
    icon: <Icon name="external" className="text-muted" />,
    onSelect: () => void shareNatively(title),
  }
  return 'share' in navigator ? [share, copy] : [copy]
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(pageAddress())
    toast.success('Link copied!')
  } catch {
    toast.error('Failed to copy')
  }
}

async function shareNatively(title: string) {
  try {
    await navigator.share({ title, url: pageAddress() })
    toast.success('Shared successfully!')
  } catch (error) {
    // The reader closed the sheet again.
    if (error instanceof Error && error.name === 'AbortError') return
    report(error)
    toast.error('Failed to share')
  }
}

const ShareButton = (props: ComponentProps<typeof Button>) => (
  <Button look="glass" size="large" {...props}>
    <Icon name="share" />
    Share
  </Button>
)

/** Passes a course on. Few ask for it, so the menu is fetched when a hand or the focus is near, and stands once wanted. */
export function ShareMenu({ title }: { title: string }) {
  const [Menu, bring] = useLater(loadMenu)
  const [openedBy, setOpenedBy] = useState<'key' | 'pointer'>()
  if (Menu && openedBy) {
    const groups = [links(title), actions(title)]
    return <Menu trigger={<ShareButton />} label="Share this course" groups={groups} openedBy={openedBy} />
  }
  const open = async (by: 'key' | 'pointer') => {
    if (await bring()) setOpenedBy(by)
    else toast.error('This did not open. Please try again.')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    void open('key')
  }
  return (
    <ShareButton
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={bring}
      onFocus={bring}
      // A press of a key clicks no number of times.
      onClick={({ detail }) => void open(detail === 0 ? 'key' : 'pointer')}
      onKeyDown={onKeyDown}
    />
  )
}
