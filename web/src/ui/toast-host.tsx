import 'sonner/dist/styles.css'
import './toast-host.css'
import { useEffect } from 'react'
import { Toaster, toast } from 'sonner'

export type Toast = {
  kind: 'success' | 'error' | 'info'
  text: string
  description?: string | undefined
  /** What can be done about it. */
  action?: { label: string; onClick: () => void } | undefined
}

/** On a phone a dialog stands at the bottom with its button last, where a toast would cover it. */
const overDialog = () =>
  document.documentElement.hasAttribute('data-scroll-locked') && matchMedia('(max-width: 639px)').matches

const present = ({ kind, text, description, action }: Toast) => {
  toast[kind](text, {
    ...(description ? { description } : {}),
    ...(action ? { action } : {}),
    ...(overDialog() ? { position: 'top-center' } : {}),
  })
  // Nobody reads more than three: the oldest make room.
  for (const { id } of toast.getToasts().slice(0, -mostToasts)) toast.dismiss(id)
}

const mostToasts = 3

/** Takes back what went wrong, where that is no longer what a reader is doing. */
export function dismissErrors() {
  for (const shown of toast.getToasts()) if ('type' in shown && shown.type === 'error') toast.dismiss(shown.id)
}

export function Host({ onReady }: { onReady: (present: (toast: Toast) => void) => void }) {
  // The toaster below listens from its own effect, which runs before this one.
  useEffect(() => onReady(present), [onReady])
  return <Toaster theme="dark" position="bottom-right" duration={4000} closeButton={false} gap={10} />
}
