import { useEffect } from 'react'
import { useLater } from '@/lib/later'
import type { Toast } from './toast-host'

// The toaster is loaded when the page is idle or the first toast wants it; until it stands,
// toasts wait here.
const waiting: Toast[] = []
let show: ((toast: Toast) => void) | null = null
let hurry: (() => void) | null = null

function push(toast: Toast) {
  if (show) return show(toast)
  waiting.push(toast)
  hurry?.()
}

const of = (kind: Toast['kind']) => (text: string, description?: string) => push({ kind, text, description })

/** A short message in the corner that goes by itself. */
export const toast = { success: of('success'), error: of('error'), info: of('info') }

const loadHost = () => import('./toast-host').then((module) => module.Host)

function ready(present: (toast: Toast) => void) {
  show = present
  for (const toast of waiting.splice(0)) present(toast)
}

export function ToastHost() {
  const [Host, bring] = useLater(loadHost)
  useEffect(() => {
    hurry = bring
    if (waiting.length > 0) void bring()
    const timer = setTimeout(bring, 3000)
    return () => {
      clearTimeout(timer)
      show = null
      hurry = null
    }
  }, [bring])
  return Host && <Host onReady={ready} />
}
