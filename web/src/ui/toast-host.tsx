import 'sonner/dist/styles.css'
import './toast-host.css'
import { useEffect } from 'react'
import { Toaster, toast } from 'sonner'
import type { Toast } from './toast'

const present = ({ kind, text, description }: Toast) => {
  toast[kind](text, description ? { description } : {})
}

export function Host({ onReady }: { onReady: (present: (toast: Toast) => void) => void }) {
  // The toaster below listens from its own effect, which runs before this one.
  useEffect(() => onReady(present), [onReady])
  return <Toaster theme="dark" position="bottom-right" duration={4000} closeButton={false} gap={10} />
}
