// Recovery codes through the official client.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { admin, authClient, functionsClient, password, person } from './greenroom.mjs'
import { anotherInstance, lettersTo } from './instance.mjs'

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
}

const experimental = { recoveryCodes: true }
const client = (options = {}) => authClient({ experimental, ...options })

/** What an authenticator app shows (RFC 6238). */
function totp(secret) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac('sha1', Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))).update(step).digest()
  return String((mac.readUInt32BE(mac[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Somebody with an authenticator app, at a session that has passed it. */
async function guarded(someone) {
  const auth = client()
  ok(await auth.signInWithPassword({ email: someone.email, password }))
  const { id, totp: app } = ok(await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }))
  ok(await auth.mfa.challengeAndVerify({ factorId: id, code: totp(app.secret) }))
  return { auth, phone: id }
}

async function signedIn(email, options) {
  const auth = client(options)
  ok(await auth.signInWithPassword({ email, password }))
  return auth
}

describe('recovery codes', () => {
  test('are made, counted, used once each, made anew and taken away', async () => {
    const ada = await person('ada')
    const weak = await signedIn(ada.email)
    refused(await weak.mfa.recoveryCodes.getStatus(), 404, 'mfa_factor_not_found')
    refused(await weak.mfa.recoveryCodes.generate(), 403, 'insufficient_aal')
    const { auth } = await guarded(ada)
    const made = ok(await auth.mfa.recoveryCodes.generate({ friendlyName: 'Backup codes' }))
    assert.deepEqual([made.type, made.friendly_name, made.total, new Set(made.codes).size], ['recovery_code', 'Backup codes', 10, 10])
    refused(await auth.mfa.recoveryCodes.generate(), 422, 'mfa_verified_factor_exists')
    assert.deepEqual(ok(await auth.mfa.listFactors()).recovery_code.map(({ id }) => id), [made.id])

    const lost = await signedIn(ada.email)
    assert.equal(ok(await lost.mfa.getAuthenticatorAssuranceLevel()).nextLevel, 'aal2')
    const seen = []
    lost.onAuthStateChange((event) => void seen.push(event))
    const typed = made.codes[0].match(/.{4}/g).join('-').toUpperCase()
    const session = ok(await lost.mfa.recoveryCodes.verify({ code: typed }))
    assert.ok(session.access_token && session.user.factors.length === 2)
    assert.ok(seen.includes('MFA_CHALLENGE_VERIFIED'), seen.join())
    const level = ok(await lost.mfa.getAuthenticatorAssuranceLevel())
    assert.deepEqual([level.currentLevel, level.currentAuthenticationMethods[0].method], ['aal2', 'mfa/recovery_code'])
    assert.deepEqual(ok(await lost.mfa.recoveryCodes.getStatus()), { id: made.id, type: 'recovery_code', total: 10, remaining: 9 })
    const again = await signedIn(ada.email)
    refused(await again.mfa.recoveryCodes.verify({ code: made.codes[0] }), 422, 'mfa_verification_failed')
    ok(await again.mfa.recoveryCodes.verify({ code: made.codes[1] }))
    const letters = await lettersTo(ada.email, 4) // the factor, the codes, and each use
    assert.equal(letters.filter((text) => /Subject: A recovery code was used/.test(text)).length, 2)

    const anew = ok(await again.mfa.recoveryCodes.regenerate())
    assert.deepEqual([anew.id, anew.friendly_name, anew.codes.length], [made.id, 'Backup codes', 10])
    const third = await signedIn(ada.email)
    refused(await third.mfa.recoveryCodes.verify({ code: made.codes[2] }), 422, 'mfa_verification_failed')
    const { data } = await again.getSession()
    const rows = ok(await functionsClient(data.session.access_token).invoke('my-data', { method: 'GET' })).recovery_codes
    assert.deepEqual([rows.length, Object.keys(rows[0]).sort()], [10, ['created_at', 'used_at']])
    assert.deepEqual(ok(await again.mfa.recoveryCodes.unenroll()), { id: made.id })
    refused(await again.mfa.recoveryCodes.unenroll(), 403, 'insufficient_aal') // the session was strong by a code
    refused(await auth.mfa.recoveryCodes.unenroll(), 404, 'mfa_factor_not_found')
  })

  test('go with the last other factor', async () => {
    const ada = await person('ada')
    const { auth, phone } = await guarded(ada)
    const { codes } = ok(await auth.mfa.recoveryCodes.generate())
    ok(await auth.mfa.unenroll({ factorId: phone }))
    assert.deepEqual(ok(await auth.mfa.listFactors()).all, [])
    refused(await (await signedIn(ada.email)).mfa.recoveryCodes.verify({ code: codes[0] }), 422, 'mfa_verification_failed')
  })

  test('let an admin in who has lost the phone', async () => {
    const boss = await admin()
    const { auth } = await guarded(boss)
    const { codes } = ok(await auth.mfa.recoveryCodes.generate())
    const lost = await signedIn(boss.email)
    const weak = (await lost.getSession()).data.session.access_token
    assert.equal((await functionsClient(weak).invoke('audit', { body: {} })).error?.context.status, 403)
    const { access_token } = ok(await lost.mfa.recoveryCodes.verify({ code: codes[0] }))
    ok(await functionsClient(access_token).invoke('audit', { body: {} }))
  })
})

describe('a recovery code at two instances', () => {
  let server
  before(async () => {
    server = await anotherInstance({})
  })
  after(() => server.stop())

  test('works once', async (t) => {
    if (!process.env.GREENROOM_DATABASE_URL) return t.skip('instances share a PostgreSQL')
    const ada = await person('ada')
    const { auth } = await guarded(ada)
    const { codes } = ok(await auth.mfa.recoveryCodes.generate())
    const here = await signedIn(ada.email)
    const there = client({ url: `${server.url}/auth/v1` })
    const { session } = ok(await here.getSession())
    ok(await there.setSession(session))
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? here : there).mfa.recoveryCodes.verify({ code: codes[0] })))
    assert.equal(results.filter(({ error }) => error === null).length, 1)
    assert.equal(ok(await auth.mfa.recoveryCodes.getStatus()).remaining, 9)
  })
})
