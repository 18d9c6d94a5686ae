import { type RefObject, useEffect } from 'react'
import type { Actions } from './actions'

/** The keys, as the list of them tells; B is the page's, where notes can be taken. */
export const keyList = (hasNotes: boolean): readonly (readonly [keys: string, what: string])[] => [
  ['Space K', 'Play or pause'],
  ['J L', '10 seconds back or forward'],
  ['← →', '5 seconds back or forward'],
  ['↑ ↓', 'Volume, while the player has the focus'],
  ['M', 'Mute'],
  ['C', 'Captions'],
  ['F', 'Full screen'],
  ['< >', 'Slower or faster'],
  ['N', 'Next lesson'],
  ...(hasNotes ? ([['B', 'Note at this moment']] as const) : []),
  ['0 – 9', 'Jump to a tenth of the video'],
  ['Home End', 'Start or end, while the player has the focus'],
  ['?', 'This list'],
]

const isField = (element: Element) =>
  element.matches(
    'input:not([type=range], [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false])',
  )

/** What a key does; undefined where it is not ours. A page must still scroll, so some count in the player alone. */
function actionOf(key: string, isInside: boolean, actions: Actions): (() => void) | undefined {
  const name = key.toLowerCase()
  if (/^[0-9]$/.test(key)) return () => actions.part(Number(key))
  const everywhere: Record<string, (() => void) | undefined> = {
    ' ': actions.toggle,
    k: actions.toggle,
    j: () => actions.step(-10),
    l: () => actions.step(10),
    arrowleft: () => actions.step(-5),
    arrowright: () => actions.step(5),
    m: actions.mute,
    c: actions.captions,
    f: actions.fullscreen,
    '<': () => actions.faster(-1),
    '>': () => actions.faster(1),
    n: actions.next,
    '?': actions.help,
  }
  const inside: Record<string, () => void> = {
    arrowup: () => actions.louder(0.05),
    arrowdown: () => actions.louder(-0.05),
    home: () => actions.part(0),
    end: () => actions.part(10),
  }
  return everywhere[name] ?? (isInside ? inside[name] : undefined)
}

/** Listens to the keys of the whole page, except where somebody writes or chooses. */
export function useKeys(root: RefObject<HTMLElement | null>, actions: Actions) {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : document.body
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isField(target)) return
      // A panel over the page, a menu and a row of cards have these keys for themselves.
      if (target.closest('[role=dialog], [role=menu], [role=tablist], section ul[class*=overflow]')) return
      const isPressable = target.matches('button, a, summary, [role=button]')
      if (isPressable && (event.key === ' ' || event.key === 'Enter')) return
      const isInside = root.current?.contains(target) ?? false
      const action = actionOf(event.key, isInside, actions)
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [root, actions])
}
