// A security key or passkey made of software, and the browser that it is in.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// Whom keys sign for is the site's address, by default http://localhost:8080, wherever the server listens.
export const origin = 'http://localhost:8080'
export const site = { rpId: 'localhost', rpOrigins: [origin] }

const sha256 = (bytes) => createHash('sha256').update(bytes).digest()
const base64url = (bytes) => Buffer.from(bytes).toString('base64url')
// A question comes as the server wrote it, or as the client made it into bytes.
const challengeText = (challenge) => (typeof challenge === 'string' ? challenge : base64url(challenge))

// The few shapes of CBOR that keys use.
const head = (major, n) => (n < 24 ? Buffer.from([(major << 5) | n]) : n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255]))
const bytes = (value) => Buffer.concat([head(2, value.length), value])
const text = (value) => Buffer.concat([head(3, value.length), Buffer.from(value)])

const present = 1
const verified = 4
const attached = 64

/** A security key; a passkey if it is told so: then it knows its owner, and asks for their finger. */
export class SoftKey {
  #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #id = randomBytes(32)
  #passkey
  #handle = null
  counter = 0

  constructor({ passkey = false } = {}) {
    this.#passkey = passkey
  }

  #clientData(type, challenge, claims) {
    return Buffer.from(JSON.stringify({ type, challenge: challengeText(challenge), origin, crossOrigin: false, ...claims }))
  }

  #authenticatorData(flags, rpId, more = Buffer.alloc(0)) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.counter)
    return Buffer.concat([sha256(rpId), Buffer.from([present | (this.#passkey ? verified : 0) | flags]), counter, more])
  }

  // What a browser without toJSON gives: the client then writes the fields out itself.
  #credential(response) {
    return { id: base64url(this.#id), rawId: this.#id, type: 'public-key', response, authenticatorAttachment: 'cross-platform', getClientExtensionResults: () => ({}) }
  }

  create({ publicKey }, { rpId = publicKey.rp.id, ...claims } = {}) {
    this.#handle = typeof publicKey.user.id === 'string' ? Buffer.from(publicKey.user.id, 'base64url') : Buffer.from(publicKey.user.id)
    const { x, y } = this.#pair.publicKey.export({ format: 'jwk' })
    const cose = Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]), bytes(Buffer.from(x, 'base64url')), Buffer.from([0x22]), bytes(Buffer.from(y, 'base64url'))])
    const length = Buffer.from([0, this.#id.length])
    const data = this.#authenticatorData(attached, rpId, Buffer.concat([Buffer.alloc(16), length, this.#id, cose]))
    const attestationObject = Buffer.concat([Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes(data)])
    return this.#credential({ clientDataJSON: this.#clientData('webauthn.create', publicKey.challenge, claims), attestationObject })
  }

  get({ publicKey }, { rpId = publicKey.rpId, ...claims } = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', publicKey.challenge, claims)
    const authenticatorData = this.#authenticatorData(0, rpId)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.#pair.privateKey)
    return this.#credential({ clientDataJSON, authenticatorData, signature, userHandle: this.#passkey ? this.#handle : null })
  }
}

/** A credential as it goes over the wire. */
export function written({ id, rawId, type, response }) {
  const fields = Object.entries(response).filter(([, value]) => value !== null)
  return { id, rawId: base64url(rawId), type, clientExtensionResults: {}, response: Object.fromEntries(fields.map(([name, value]) => [name, base64url(value)])) }
}

/** Runs fn where the client finds a browser with this key in it. */
export async function inBrowser(key, fn) {
  class PublicKeyCredential {}
  const given = (credential) => Object.assign(new PublicKeyCredential(), credential)
  const asked = []
  const credentials = {
    create: async (options) => (asked.push(options), given(key.create(options))),
    get: async (options) => (asked.push(options), given(key.get(options))),
  }
  const kept = Object.getOwnPropertyDescriptors(globalThis)
  const set = { PublicKeyCredential, window: { PublicKeyCredential }, document: {}, navigator: { credentials } }
  for (const [name, value] of Object.entries(set)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  try {
    return { result: await fn(), asked }
  } finally {
    for (const name of Object.keys(set)) {
      delete globalThis[name]
      if (kept[name]) Object.defineProperty(globalThis, name, kept[name])
    }
  }
}
