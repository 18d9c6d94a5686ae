// Security keys through the official client, with a key made of software.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { admin, authClient, functionsClient, password, person } from './greenroom.mjs'
import { SoftKey, site } from './softkey.mjs'

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
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
