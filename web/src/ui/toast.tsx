import { useEffect, useState } from 'react'
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

const of = (kind: Toast['kind']) => (text: string, description?: string, action?: Toast['action']) =>
  push({ kind, text, description, action })

/** A short message in the corner that goes by itself. */
export const toast = { success: of('success'), error: of('error'), info: of('info') }

const loadHost = () => import('./toast-host').then((module) => module.Host)

function ready(present: (toast: Toast) => void) {
  show = present
  for (const toast of waiting.splice(0)) present(toast)
}

export function ToastHost() {
  const [Host, bring] = useLater(loadHost)
  const [plain, setPlain] = useState('')
  useEffect(() => {
    // Words that the toaster cannot show are shown without it.
    hurry = async () => {
      if (await bring()) return
      setPlain(waiting.splice(0).at(-1)?.text ?? '')
      setTimeout(setPlain, 5000, '')
    }
    if (waiting.length > 0) hurry()
    const timer = setTimeout(bring, 3000)
    return () => {
      clearTimeout(timer)
      show = null
      hurry = null
    }
  }, [bring])
  if (Host) return <Host onReady={ready} />
  return (
    <p role="status" className="fixed right-4 bottom-4 z-50 rounded-card bg-surface-3 px-4 not-empty:py-3">
      {plain}
    </p>
  )
}
