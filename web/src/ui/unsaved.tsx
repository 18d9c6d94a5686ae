import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { UNSAFE_NavigationContext } from 'react-router'
import type { HeldNavigator } from '@/lib/page'
import { Confirm } from './confirm'

type Go = () => void

/** Asks before the ways out of the page: its links and tabs, the browser's Back, and the end of the page itself. */
function guard(navigator: HeldNavigator, ask: (go: Go) => void): () => void {
  // Only who writes has something to lose: the router of every page is not made heavier by a question of its own.
  const { push } = navigator
  navigator.push = (...step) => ask(() => push(...step))
  const unload = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', unload)
  const letBack = guardBack(navigator, ask)
  return () => {
    navigator.push = push
    removeEventListener('beforeunload', unload)
    letBack()
  }
}

/** A step of the browser has happened when it is told of: it is taken back, and then asked about. */
function guardBack(navigator: HeldNavigator, ask: (go: Go) => void): () => void {
  let isReturning = false
  navigator.held = (steps) => {
    if (!isReturning) {
      history.go(-(steps ?? 0))
      ask(() => {
        navigator.held = undefined
        history.go(steps ?? 0)
      })
    }
    isReturning = !isReturning
    return true
  }
  return () => {
    navigator.held = undefined
  }
}

type Words = { question: string; detail?: string; keep?: string; action?: string }

/**
 * What keeps something half-written from being lost without a question: a way to ask, and the question. Where it can
 * still be saved, `settle` tries that first: nobody is asked about what is safe.
 */
export function useUnsaved(
  isDirty: boolean,
  words: string | Words,
  settle?: () => Promise<boolean>,
): [ask: (go: Go) => void, dialog: ReactNode] {
  const [wanted, setWanted] = useState<Go | null>(null)
  const opener = useRef<Element>(null)
  const latest = useRef(settle)
  latest.current = settle
  const ask = async (go: Go) => {
    opener.current = document.activeElement
    if (latest.current && (await latest.current())) return go()
    setWanted(() => go)
  }
  const close = () => {
    setWanted(null)
    // After the dialog, which holds the focus until it has gone.
    setTimeout(() => opener.current instanceof HTMLElement && opener.current.focus())
  }
  const { navigator } = useContext(UNSAFE_NavigationContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is the same whenever it is asked
  useEffect(() => (isDirty ? guard(navigator, ask) : undefined), [isDirty, navigator])
  const said = typeof words === 'string' ? { question: words } : words
  return [
    ask,
    <Confirm
      key="unsaved"
      open={wanted !== null}
      onClose={close}
      detail="What you wrote has not been saved."
      keep="Keep editing"
      action="Discard"
      {...said}
      onConfirm={() => {
        opener.current = null
        if (wanted) setTimeout(wanted)
      }}
    />,
  ]
}
