// Second factors through the official client.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { admin, authClient, dataClient, functionsClient, password, person } from './greenroom.mjs'

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
}

/** What an authenticator app shows (RFC 6238), a number of steps from now. */
function totp(secret, steps = 0) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', bytes).update(counter).digest()
  const at = mac[19] & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

async function guarded(someone) {
  const factor = ok(await someone.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }))
  ok(await someone.auth.mfa.challengeAndVerify({ factorId: factor.id, code: totp(factor.totp.secret) }))
  return factor
}

describe('a second factor', () => {
  test('is enrolled, challenged, verified, listed and taken away', async () => {
    const ada = await person('ada')
    const seen = []
    ada.auth.onAuthStateChange((event) => void seen.push(event))
    const factor = ok(await ada.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone', issuer: 'Greenroom' }))
    assert.equal(factor.type, 'totp')
    assert.match(factor.totp.qr_code, /^data:image\/svg\+xml;utf-8,<svg/)
    assert.match(factor.totp.uri, /^otpauth:\/\/totp\//)
    assert.equal(factor.totp.secret.length, 32)
    assert.deepEqual(ok(await ada.auth.mfa.listFactors()).totp, [])
    assert.deepEqual(
      [ok(await ada.auth.mfa.getAuthenticatorAssuranceLevel())].map((level) => [level.currentLevel, level.nextLevel]),
      [['aal1', 'aal1']],
    )
    const challenge = ok(await ada.auth.mfa.challenge({ factorId: factor.id }))
    refused(await ada.auth.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code: '000000' }), 422, 'mfa_verification_failed')
    const code = totp(factor.totp.secret)
    const session = ok(await ada.auth.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code }))
    assert.equal(session.user.factors[0].status, 'verified')
    assert.ok(seen.includes('MFA_CHALLENGE_VERIFIED'), seen.join())
    const level = ok(await ada.auth.mfa.getAuthenticatorAssuranceLevel())
    assert.deepEqual([level.currentLevel, level.nextLevel, level.currentAuthenticationMethods[0].method], ['aal2', 'aal2', 'totp'])
    assert.equal(ok(await ada.auth.mfa.listFactors()).totp[0].friendly_name, 'phone')
    refused(await ada.auth.mfa.challengeAndVerify({ factorId: factor.id, code }), 422, 'mfa_verification_failed')
    ok(await ada.auth.refreshSession())
    assert.deepEqual(ok(await ada.auth.mfa.unenroll({ factorId: factor.id })), { id: factor.id })
    ok(await ada.auth.refreshSession())
    assert.equal(ok(await ada.auth.mfa.getAuthenticatorAssuranceLevel()).currentLevel, 'aal1')
  })

  test('is asked for before the password changes', async () => {
    const ada = await person('ada')
    const factor = await guarded(ada)
    const auth = authClient()
    ok(await auth.signInWithPassword({ email: ada.email, password }))
    const level = ok(await auth.mfa.getAuthenticatorAssuranceLevel())
    assert.deepEqual([level.currentLevel, level.nextLevel], ['aal1', 'aal2'])
    refused(await auth.updateUser({ password: 'another long passphrase' }), 401, 'insufficient_aal')
    refused(await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'mine' }), 403, 'insufficient_aal')
    refused(await auth.mfa.unenroll({ factorId: factor.id }), 422, 'insufficient_aal')
    ok(await auth.mfa.challengeAndVerify({ factorId: factor.id, code: totp(factor.totp.secret, 1) }))
    ok(await auth.updateUser({ password: 'another long passphrase' }))
  })

  test('by phone is answered as where no sender is set', async () => {
    const ada = await person('ada')
    refused(await ada.auth.mfa.enroll({ factorType: 'phone', phone: '+4930123456' }), 422, 'mfa_phone_enroll_not_enabled')
  })

  test('makes an admin an admin only behind it', async () => {
    const boss = await admin()
    ok(await boss.functions.invoke('audit', { body: {} }))
    const factor = await guarded(boss)
    const auth = authClient()
    const weak = ok(await auth.signInWithPassword({ email: boss.email, password })).session.access_token
    const { error } = await functionsClient(weak).invoke('audit', { body: {} })
    assert.equal(error?.context.status, 403)
    ok(await dataClient(weak).from('course_waitlist').select()) // own rows are readable at aal1
    ok(await auth.mfa.challengeAndVerify({ factorId: factor.id, code: totp(factor.totp.secret, 1) }))
    const { session } = ok(await auth.getSession())
    ok(await functionsClient(session.access_token).invoke('audit', { body: {} }))
  })
})
