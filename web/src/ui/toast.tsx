import { type ComponentType, useEffect, useState } from 'react'

export type Toast = { kind: 'success' | 'error' | 'info'; text: string; description?: string | undefined }

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

type HostProps = { onReady: (ready: (toast: Toast) => void) => void }

function ready(present: (toast: Toast) => void) {
  show = present
  for (const toast of waiting.splice(0)) present(toast)
}

export function ToastHost() {
  const [Host, setHost] = useState<ComponentType<HostProps> | null>(null)
  useEffect(() => {
    const load = () => void import('./toast-host').then((module) => setHost(() => module.Host))
    hurry = load
    if (waiting.length > 0) load()
    const timer = setTimeout(load, 3000)
    return () => {
      clearTimeout(timer)
      show = null
      hurry = null
    }
  }, [])
  return Host && <Host onReady={ready} />
}
