// The engine knows ECMAScript and nothing else. This is what the router and the query cache touch
// while a page is rendered, and no more. A render is one synchronous call, so a timer that would
// fire later has nothing left to do.

/** An address taken apart; enough for the paths of this site. */
class Address {
  readonly protocol: string
  readonly host: string
  readonly pathname: string
  readonly search: string
  readonly hash: string

  constructor(address: string, base: string | Address = '') {
    const full = /^[a-z][a-z0-9+.-]*:/i.test(address)
      ? address
      : String(base).replace(/^([a-z]+:\/\/[^/?#]*).*$/i, '$1') + address
    const parts = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(full)
    if (!parts) throw new TypeError(`not an address: ${address}`)
    this.protocol = parts[1] ?? ''
    this.host = parts[2] ?? ''
    this.pathname = parts[3] || '/'
    this.search = parts[4] ?? ''
    this.hash = parts[5] ?? ''
  }

  get origin() {
    return `${this.protocol}//${this.host}`
  }

  get href() {
    return this.origin + this.pathname + this.search + this.hash
  }

  toString() {
    return this.href
  }
}

const engine = globalThis as Record<string, unknown>

engine.URL ??= Address
engine.setTimeout ??= () => 0
engine.clearTimeout ??= () => undefined
engine.console ??= { log() {}, info() {}, warn() {}, error() {} }
