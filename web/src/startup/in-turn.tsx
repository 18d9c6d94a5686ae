import { type ReactNode, Suspense, use, useId } from 'react'
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

const turns = new Map<string, Promise<void>>()
let last = Promise.resolve()

function turnOf(part: string): Promise<void> {
  const known = turns.get(part)
  if (known) return known
  last = last.then(free)
  turns.set(part, last)
  return last
}

function Part({ children }: { children: ReactNode }) {
  const part = useId()
  const isTakenOver = useHydrated()
  if (!isTakenOver && 'document' in globalThis && !earlyPress()) use(turnOf(part))
  return children
}

/**
 * A part of a long page. The app takes the server's markup over part by part, each when the browser is free, so that
 * none of them keeps a slow phone from scrolling. Drawn by the browser, it is there at once.
 */
export function InTurn({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <Part>{children}</Part>
    </Suspense>
  )
}
