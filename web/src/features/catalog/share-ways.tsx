import { useEffect, useRef } from 'react'
import { report } from '@/lib/report'
import { Icon } from '@/ui/all-icons'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/ui/menu'
import { toast } from '@/ui/toast'
import { ShareButton } from './share-button'

function shareLinks(title: string, address: string) {
  const text = encodeURIComponent(title)
  const url = encodeURIComponent(address)
  return [
    { label: 'Email', href: `mailto:?subject=${text}&body=${url}` },
    { label: 'WhatsApp', href: `https://wa.me/?text=${text}%20${url}` },
    { label: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${url}` },
    { label: 'Twitter', href: `https://twitter.com/intent/tweet?text=${text}&url=${url}` },
    { label: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${url}` },
  ]
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

const pageAddress = () => location.origin + location.pathname

/** The ways to pass a course on, opened as the press wanted that brought them. */
export function ShareWays({ title, by }: { title: string; by: 'keyboard' | 'pointer' }) {
  const trigger = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Only a menu that hears a key goes to its first entry.
    const key = new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })
    if (by === 'keyboard') trigger.current?.dispatchEvent(key)
  }, [by])
  return (
    <Menu trigger={<ShareButton ref={trigger} />} label="Share this course" defaultOpen={by === 'pointer'}>
      {shareLinks(title, pageAddress()).map(({ label, href }) => (
        <MenuLink key={label} href={href}>
          {label}
        </MenuLink>
      ))}
      <MenuSeparator />
      {'share' in navigator && (
        <MenuItem onSelect={() => void shareNatively(title)}>
          <Icon name="external" className="text-muted" />
          More ways to share
        </MenuItem>
      )}
      <MenuItem onSelect={() => void copyLink()}>
        <Icon name="link" className="text-muted" />
        Copy link
      </MenuItem>
    </Menu>
  )
}
