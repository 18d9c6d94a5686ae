// What was played of a lesson, in steps of five seconds: a bit each, the lowest first. The server only ever adds bits, so
// what is sent twice or late does no harm.

export const step = 5

function bytesOf(text: string): number[] {
  try {
    return [...atob(text)].map((sign) => sign.charCodeAt(0))
  } catch {
    return []
  }
}

export class Coverage {
  readonly #bits: Uint8Array
  readonly #played: Float64Array
  readonly #seconds: number

  constructor(seconds: number, known = '') {
    const steps = Math.ceil(Math.max(0, seconds) / step)
    this.#seconds = seconds
    this.#bits = new Uint8Array(Math.ceil(steps / 8))
    this.#played = new Float64Array(steps)
    bytesOf(known)
      .slice(0, this.#bits.length)
      .forEach((byte, index) => {
        this.#bits[index] = byte
      })
  }

  /** Notes what was played. A step counts once half of it was: who jumps from one to the next has not watched them. */
  add(from: number, to: number) {
    for (let index = Math.max(0, Math.floor(from / step)); index < this.#played.length && index * step < to; index++) {
      const start = index * step
      const end = Math.min(start + step, this.#seconds)
      this.#played[index] = (this.#played[index] ?? 0) + Math.max(0, Math.min(to, end) - Math.max(from, start))
      if ((this.#played[index] ?? 0) >= (end - start) / 2)
        this.#bits[index >> 3] = (this.#bits[index >> 3] ?? 0) | (1 << (index & 7))
    }
  }

  toString(): string {
    return btoa(String.fromCharCode(...this.#bits))
  }
}
