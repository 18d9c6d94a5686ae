import { BackendError } from '@/lib/backend'
import { clearDraft, readDraft, saveDraft } from '@/lib/draft'
import { mayPass } from '@/lib/query'

// The text of a lesson while it is written. What stands in the field is the truth: nothing here ever changes it, but when
// its writer asks for another's version. Every keystroke is kept in the tab, and sent after a pause.

export type DraftState =
  | 'saved' // all of it is on the server
  | 'waiting' // for a pause
  | 'saving'
  | 'held' // the server cannot be reached; it is tried again
  | 'conflict' // somebody else saved meanwhile
  | 'long' // more than a lesson holds
  | 'refused'

export type Version = { body: string; version: number }

export type Wire = {
  /** Sends a text that builds on a version, and gives the next one. */
  send: (body: string, version: number) => Promise<number>
  read: () => Promise<Version>
}

type Kept = Version & { sent: string[] }

const pause = 1500
const retries = [2000, 5000, 10_000, 30_000]
export const mostBytes = 100_000

const bytesOf = (text: string) => new TextEncoder().encode(text).length

function keptOf(value: unknown): Kept | null {
  const kept = value as Kept | null
  return typeof kept?.body === 'string' && typeof kept.version === 'number' && Array.isArray(kept.sent) ? kept : null
}

export class Autosave {
  state: DraftState = 'saved'
  text: string
  /** What the server said when it refused for good. */
  why = ''
  /** One's own text, after another's version was taken. */
  mine: string | null = null
  readonly #name: string
  readonly #wire: Wire
  readonly #listeners = new Set<() => void>()
  #saved: string
  #version: number
  /** Texts whose fate is not known: the answer may have been lost on its way. */
  #sent: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | null = null
  #failures = 0

  constructor(lesson: string, server: Version, wire: Wire) {
    this.#name = `lesson.${lesson}`
    this.#wire = wire
    this.#saved = server.body
    this.#version = server.version
    this.text = server.body
    this.#takeUp(keptOf(readDraft(this.#name)), server)
  }

  /** What this tab kept of an earlier visit goes on from there. */
  #takeUp(kept: Kept | null, server: Version) {
    if (!kept || kept.body === server.body) return clearDraft(this.#name)
    this.text = kept.body
    this.#sent = kept.sent
    const isOurs = kept.version === server.version || kept.sent.includes(server.body)
    if (!isOurs) {
      this.#version = kept.version
      this.state = 'conflict'
      return
    }
    this.state = 'waiting'
    this.#later(pause)
  }

  /** Whether something is not on the server yet. */
  get isDirty() {
    return this.text !== this.#saved
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  type(text: string) {
    this.text = text
    this.#keep()
    if (this.state === 'conflict') return this.#become('conflict')
    if (!this.isDirty && !this.#running) return this.#settle()
    this.#become(this.state === 'saving' ? 'saving' : 'waiting')
    this.#later(pause)
  }

  /** Sends what is not sent, now; tells whether all of it arrived. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    await this.#push()
    return !this.isDirty
  }

  /** Saves one's own text over what somebody else saved. */
  async keepMine() {
    try {
      this.#version = (await this.#wire.read()).version
    } catch {
      return this.#become('conflict')
    }
    this.state = 'waiting'
    await this.flush()
  }

  /** Takes the other's version; one's own stays at hand. */
  async takeTheirs(): Promise<boolean> {
    try {
      const theirs = await this.#wire.read()
      this.mine = this.text
      this.text = theirs.body
      this.#saved = theirs.body
      this.#version = theirs.version
      this.#settle()
      return true
    } catch {
      return false
    }
  }

  stop() {
    clearTimeout(this.#timer)
  }

  #become(state: DraftState) {
    this.state = state
    for (const listener of this.#listeners) listener()
  }

  #settle() {
    clearTimeout(this.#timer)
    this.#sent = []
    clearDraft(this.#name)
    this.#become('saved')
  }

  #keep() {
    // A full or forbidden store must not keep anybody from writing.
    try {
      saveDraft(this.#name, { body: this.text, version: this.#version, sent: this.#sent } satisfies Kept)
    } catch {}
  }

  #later(wait: number) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#push(), wait)
  }

  #push(): Promise<void> {
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #sendAll() {
    while (this.isDirty && this.state !== 'conflict') {
      const body = this.text
      if (bytesOf(body) > mostBytes) return this.#become('long')
      this.#sent = [...this.#sent.slice(-3), body]
      this.#keep()
      this.#become('saving')
      try {
        this.#version = await this.#wire.send(body, this.#version)
        this.#saved = body
        this.#sent = []
        this.#failures = 0
        this.#keep()
      } catch (error) {
        if (!(await this.#goesOn(error))) return
      }
    }
    if (!this.isDirty) this.#settle()
  }

  /** Whether there is a next try at once; otherwise it says what is the matter. */
  async #goesOn(error: unknown): Promise<boolean> {
    if (error instanceof BackendError && error.status === 409) {
      const theirs = await this.#wire.read().catch(() => null)
      if (!theirs) return this.#hold()
      if (!this.#sent.includes(theirs.body)) {
        this.#become('conflict')
        return false
      }
      // It was our own: it arrived, and only the answer was lost.
      this.#version = theirs.version
      this.#saved = theirs.body
      this.#keep()
      return true
    }
    if (mayPass(error)) return this.#hold()
    this.why = error instanceof Error ? error.message : ''
    this.#become('refused')
    return false
  }

  #hold(): false {
    this.#later(retries[Math.min(this.#failures, retries.length - 1)] ?? pause)
    this.#failures += 1
    this.#become('held')
    return false
  }
}
