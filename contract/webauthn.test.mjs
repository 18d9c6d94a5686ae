// Security keys through the official client, with a key made of software.
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { admin, authClient, functionsClient, password, person } from './greenroom.mjs'

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
}

// Whom keys sign for is the site's address, by default http://localhost:8080, wherever the server listens.
const origin = 'http://localhost:8080'
const site = { rpId: 'localhost', rpOrigins: [origin] }

const sha256 = (bytes) => createHash('sha256').update(bytes).digest()
const base64url = (bytes) => Buffer.from(bytes).toString('base64url')

// The few shapes of CBOR that keys use.
const head = (major, n) => (n < 24 ? Buffer.from([(major << 5) | n]) : n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255]))
const bytes = (value) => Buffer.concat([head(2, value.length), value])
const text = (value) => Buffer.concat([head(3, value.length), Buffer.from(value)])

/** A security key, and the browser that it is plugged into. */
class SoftKey {
  #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #id = randomBytes(32)
  #counter = 0

  #clientData(type, challenge, claims) {
    return Buffer.from(JSON.stringify({ type, challenge: base64url(challenge), origin, crossOrigin: false, ...claims }))
  }

  #authenticatorData(flags, rpId, attached = Buffer.alloc(0)) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.#counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attached])
  }

  // What a browser without toJSON gives: the client then writes the fields out itself.
  #credential(response) {
    return { id: base64url(this.#id), rawId: this.#id, type: 'public-key', response, authenticatorAttachment: 'cross-platform', getClientExtensionResults: () => ({}) }
  }

  create({ publicKey }) {
    const { x, y } = this.#pair.publicKey.export({ format: 'jwk' })
    const cose = Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]), bytes(Buffer.from(x, 'base64url')), Buffer.from([0x22]), bytes(Buffer.from(y, 'base64url'))])
    const length = Buffer.from([0, this.#id.length])
    const data = this.#authenticatorData(0x41, publicKey.rp.id, Buffer.concat([Buffer.alloc(16), length, this.#id, cose]))
    const attestationObject = Buffer.concat([Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes(data)])
    return this.#credential({ clientDataJSON: this.#clientData('webauthn.create', publicKey.challenge), attestationObject })
  }

  get({ publicKey }, claims = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', publicKey.challenge, claims)
    const authenticatorData = this.#authenticatorData(1, publicKey.rpId)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.#pair.privateKey)
    return this.#credential({ clientDataJSON, authenticatorData, signature, userHandle: null })
  }
}

async function enrolled(someone, friendlyName) {
  const key = new SoftKey()
  const factor = ok(await someone.auth.mfa.enroll({ factorType: 'webauthn', friendlyName }))
  const challenge = ok(await someone.auth.mfa.challenge({ factorId: factor.id, webauthn: site }))
  const credential_response = key.create(challenge.webauthn.credential_options)
  ok(await someone.auth.mfa.verify({ factorId: factor.id, challengeId: challenge.id, webauthn: { type: 'create', ...site, credential_response } }))
  return { key, factor }
}

async function assertion(auth, factorId, key, claims) {
  const challenge = ok(await auth.mfa.challenge({ factorId, webauthn: site }))
  const credential_response = key.get(challenge.webauthn.credential_options, claims)
  return { factorId, challengeId: challenge.id, webauthn: { type: 'request', ...site, credential_response } }
}

describe('a security key', () => {
  test('is enrolled, challenged, verified, listed and taken away', async () => {
    const ada = await person('ada')
    const seen = []
    ada.auth.onAuthStateChange((event) => void seen.push(event))
    const key = new SoftKey()
    const factor = ok(await ada.auth.mfa.webauthn.enroll({ friendlyName: 'yellow key' }))
    assert.deepEqual([factor.type, factor.friendly_name], ['webauthn', 'yellow key'])
    const challenge = ok(await ada.auth.mfa.challenge({ factorId: factor.id, webauthn: site }))
    assert.deepEqual([challenge.type, challenge.webauthn.type], ['webauthn', 'create'])
    const { publicKey } = challenge.webauthn.credential_options
    assert.ok(publicKey.challenge instanceof ArrayBuffer && publicKey.challenge.byteLength >= 16)
    assert.deepEqual([publicKey.rp.id, publicKey.user.name, publicKey.attestation], ['localhost', ada.email, 'none'])
    const session = ok(
      await ada.auth.mfa.webauthn.verify({
        factorId: factor.id,
        challengeId: challenge.id,
        webauthn: { type: 'create', ...site, credential_response: key.create(challenge.webauthn.credential_options) },
      }),
    )
    assert.equal(session.user.factors[0].status, 'verified')
    assert.ok(seen.includes('MFA_CHALLENGE_VERIFIED'), seen.join())
    const level = ok(await ada.auth.mfa.getAuthenticatorAssuranceLevel())
    assert.deepEqual([level.currentLevel, level.currentAuthenticationMethods[0].method], ['aal2', 'mfa/webauthn'])
    assert.deepEqual(ok(await ada.auth.mfa.listFactors()).webauthn.map((one) => one.friendly_name), ['yellow key'])
    const kept = ok(await ada.functions.invoke('my-data', { method: 'GET' })).security_keys
    assert.deepEqual(kept.map((one) => one.friendly_name), ['yellow key'])
    assert.deepEqual(ok(await ada.auth.mfa.unenroll({ factorId: factor.id })), { id: factor.id })
    ok(await ada.auth.refreshSession())
    assert.equal(ok(await ada.auth.mfa.getAuthenticatorAssuranceLevel()).currentLevel, 'aal1')
  })

  test('is the second step after the password, once for each question', async () => {
    const ada = await person('ada')
    const { key, factor } = await enrolled(ada, 'yellow key')
    const auth = authClient()
    ok(await auth.signInWithPassword({ email: ada.email, password }))
    refused(await auth.updateUser({ password: 'another long passphrase' }), 401, 'insufficient_aal')
    refused(await auth.mfa.verify(await assertion(auth, factor.id, key, { origin: 'https://evil.example' })), 422, 'mfa_verification_failed')
    refused(await auth.mfa.verify(await assertion(auth, factor.id, new SoftKey())), 422, 'mfa_verification_failed')
    const good = await assertion(auth, factor.id, key)
    ok(await auth.mfa.verify(good))
    refused(await auth.mfa.verify(good), 422, 'mfa_ip_address_mismatch')
    ok(await auth.updateUser({ password: 'another long passphrase' }))
  })

  test('of fifty answers at once lets one in', async () => {
    const ada = await person('ada')
    const { key, factor } = await enrolled(ada, 'yellow key')
    const good = await assertion(ada.auth, factor.id, key)
    const results = await Promise.all(Array.from({ length: 50 }, () => ada.auth.mfa.verify(good)))
    assert.equal(results.filter(({ error }) => error === null).length, 1)
    // On a busy machine the last of them may be turned away before they are judged.
    assert.equal(results.filter(({ error }) => error?.status === 422 || error?.status === 503).length, 49)
  })

  test('signs for no other site', async () => {
    const ada = await person('ada')
    const { factor } = await enrolled(ada, 'yellow key')
    refused(await ada.auth.mfa.challenge({ factorId: factor.id, webauthn: { rpId: 'evil.example' } }), 400, 'validation_failed')
    refused(await ada.auth.mfa.challenge({ factorId: factor.id, webauthn: { rpId: 'localhost', rpOrigins: ['https://evil.example'] } }), 400, 'validation_failed')
  })

  test('makes an admin an admin only behind it', async () => {
    const boss = await admin()
    const { key, factor } = await enrolled(boss, 'yellow key')
    const auth = authClient()
    const weak = ok(await auth.signInWithPassword({ email: boss.email, password })).session.access_token
    const { error } = await functionsClient(weak).invoke('audit', { body: {} })
    assert.equal(error?.context.status, 403)
    ok(await auth.mfa.verify(await assertion(auth, factor.id, key)))
    const { session } = ok(await auth.getSession())
    ok(await functionsClient(session.access_token).invoke('audit', { body: {} }))
  })
})
