import { type ReactNode, Suspense, startTransition, use, useEffect, useId, useState } from 'react'
import { earlyPress } from './early-press'
import { useHydrated } from './hydrated'

let wanted: Promise<unknown> | undefined

/** The first press: whoever makes it wants an answer, wherever it falls. */
const press = () =>
  new Promise((done) => {
    for (const event of ['pointerdown', 'keydown']) addEventListener(event, done, { capture: true, once: true })
  })

/** A moment in which the browser has nothing else to do, or soon if there is none. */
const idle = () =>
  new Promise<void>((done) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => done(), { timeout: 300 })
    else setTimeout(done, 30)
  })

async function free() {
  wanted ??= press()
  await Promise.race([wanted, idle()])
}

const turns = new Map<string, Promise<unknown>>()
let last: Promise<unknown> = Promise.resolve()

function turnOf(part: string): Promise<unknown> {
  const known = turns.get(part)
  if (known) return known
  last = last.then(free)
  turns.set(part, last)
  return last
}

/** Lets the parts to come wait for something that moves: what they are drawn with is the time that its pictures need. */
export function waitFor(moved: Promise<unknown> | undefined) {
  last = Promise.allSettled([last, moved])
}

let isWhole = false

/** Whether the next page is drawn at once as far as it goes: who comes back to a page stands where they stood on it. */
export function drawWhole(whole: boolean) {
  isWhole = whole
}

/** Whether a part may show. One that the browser draws itself waits for its turn, one of the server's stands there. */
function useDue(part: string, isSeen: boolean): boolean {
  const isTakenOver = useHydrated()
  const [isDue, setDue] = useState(isSeen || isWhole || !isTakenOver)
  useEffect(() => {
    if (!isDue) void turnOf(part).then(() => startTransition(() => setDue(true)))
  }, [isDue, part])
  if (!isTakenOver && 'document' in globalThis && !earlyPress()) use(turnOf(part))
  return isDue
}

type InTurnProps = {
  children: ReactNode
  /** It is on the first screen of its page, so it does not wait where the browser draws it. */
  seen?: boolean
}

function Part({ children, seen = false }: InTurnProps) {
  return useDue(useId(), seen) ? children : <div className="h-[26rem]" />
}

/**
 * A part of a long page, which comes when the browser is free: a slow phone must be able to scroll meanwhile. The app takes
 * the server's markup over part by part; of a page that it draws itself, the first screen is there at once.
 */
export function InTurn(props: InTurnProps) {
  return (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}
