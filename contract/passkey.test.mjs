// Passkeys through the official client, with passkeys made of software.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { admin, authClient, functionsClient, letterTo, password, person } from './greenroom.mjs'
import { anotherInstance } from './instance.mjs'
import { inBrowser, SoftKey, written } from './softkey.mjs'

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
}

const claimsOf = (session) => JSON.parse(Buffer.from(session.access_token.split('.')[1], 'base64url'))

/** Adds a passkey to somebody's account. */
async function registered(auth, key = new SoftKey({ passkey: true })) {
  const { challenge_id: challengeId, options } = ok(await auth.passkey.startRegistration())
  const passkey = ok(await auth.passkey.verifyRegistration({ challengeId, credential: written(key.create({ publicKey: options })) }))
  return { key, passkey }
}

/** What a passkey says to a new question. */
async function answered(auth, key, claims) {
  const { challenge_id: challengeId, options } = ok(await auth.passkey.startAuthentication())
  return { challengeId, credential: written(key.get({ publicKey: options }, claims)) }
}

const operator = () => authClient({ headers: { apikey: 'sb_secret_contract_tests', Authorization: 'Bearer sb_secret_contract_tests' } }).admin

describe('a passkey', () => {
  test('is made, used, listed, renamed and taken away', async () => {
    const ada = await person('ada')
    const { challenge_id: challengeId, options, expires_at } = ok(await ada.auth.passkey.startRegistration())
    assert.deepEqual([options.rp.id, options.user.name, options.attestation], ['localhost', ada.email, 'none'])
    assert.deepEqual([options.authenticatorSelection.residentKey, options.authenticatorSelection.userVerification], ['required', 'required'])
    assert.ok(expires_at > Date.now() / 1000)
    const key = new SoftKey({ passkey: true })
    const made = ok(await ada.auth.passkey.verifyRegistration({ challengeId, credential: written(key.create({ publicKey: options })) }))
    assert.ok(made.id && made.friendly_name && made.created_at)
    assert.match(await letterTo(ada.email), /A passkey was added to your account/)

    const auth = authClient()
    const seen = []
    auth.onAuthStateChange((event) => void seen.push(event))
    const { session, user } = ok(await auth.passkey.verifyAuthentication(await answered(auth, key)))
    assert.equal(user.id, ada.id)
    assert.ok(seen.includes('SIGNED_IN'), seen.join())
    const { aal, amr } = claimsOf(session)
    assert.deepEqual([aal, amr.map(({ method }) => method)], ['aal2', ['passkey']])
    const level = ok(await auth.mfa.getAuthenticatorAssuranceLevel())
    assert.deepEqual([level.currentLevel, level.nextLevel], ['aal2', 'aal2'])
    ok(await auth.refreshSession())

    const [one] = ok(await auth.passkey.list())
    assert.deepEqual([one.id, one.friendly_name], [made.id, made.friendly_name])
    assert.ok(one.last_used_at)
    assert.equal(ok(await auth.passkey.update({ passkeyId: made.id, friendlyName: 'My laptop' })).friendly_name, 'My laptop')
    refused(await auth.passkey.update({ passkeyId: made.id, friendlyName: 'x'.repeat(121) }), 400, 'validation_failed')
    const kept = ok(await functionsClient(session.access_token).invoke('my-data', { method: 'GET' })).passkeys
    assert.deepEqual(kept.map((row) => row.friendly_name), ['My laptop'])
    assert.equal(ok(await auth.passkey.delete({ passkeyId: made.id })), null)
    assert.deepEqual(ok(await auth.passkey.list()), [])
    refused(await authClient().passkey.verifyAuthentication(await answered(auth, key)), 400, 'webauthn_verification_failed')
    refused(await ada.auth.passkey.delete({ passkeyId: made.id }), 404, 'validation_failed')
  })

  test('is made and used by the calls that ask the browser', async () => {
    const ada = await person('ada')
    const key = new SoftKey({ passkey: true })
    const made = await inBrowser(key, () => ada.auth.registerPasskey())
    ok(made.result)
    const auth = authClient()
    const { result, asked } = await inBrowser(key, () => auth.signInWithPasskey({ options: { mediation: 'conditional' } }))
    assert.equal(ok(result).user.id, ada.id)
    assert.equal(asked[0].mediation, 'conditional')
    const { data } = await auth.getSession()
    assert.equal(claimsOf(data.session).aal, 'aal2')
  })

  test('is seen and taken away by the operator', async () => {
    const ada = await person('ada')
    const { passkey, key } = await registered(ada.auth)
    const list = ok(await operator().passkey.listPasskeys({ userId: ada.id }))
    assert.deepEqual(list.map(({ id }) => id), [passkey.id])
    ok(await operator().passkey.deletePasskey({ userId: ada.id, passkeyId: passkey.id }))
    assert.deepEqual(ok(await operator().passkey.listPasskeys({ userId: ada.id })), [])
    refused(await operator().passkey.deletePasskey({ userId: ada.id, passkeyId: passkey.id }), 404, 'validation_failed')
    const auth = authClient()
    refused(await auth.passkey.verifyAuthentication(await answered(auth, key)), 400, 'webauthn_verification_failed')
  })

  test('signs once, for this site, by itself, for its owner', async () => {
    const ada = await person('ada')
    const { key } = await registered(ada.auth)
    const auth = authClient()
    const no = async (answer, code = 'webauthn_verification_failed') => refused(await auth.passkey.verifyAuthentication(answer), 400, code)
    const good = await answered(auth, key)
    ok(await auth.passkey.verifyAuthentication(good))
    await no(good, 'webauthn_challenge_not_found') // again
    const { challengeId } = await answered(auth, key)
    await no({ challengeId, credential: good.credential }) // at another question
    await no(await answered(auth, key, { origin: 'https://evil.example' }))
    await no(await answered(auth, key, { rpId: 'evil.example' }))
    const unknown = new SoftKey({ passkey: true })
    unknown.create({ publicKey: ok(await ada.auth.passkey.startRegistration()).options })
    await no(await answered(auth, unknown))
    key.counter = 1
    await no(await answered(auth, key)) // a copy that was made before
    key.counter += 10
    ok(await auth.passkey.verifyAuthentication(await answered(auth, key)))
    // Another person's question.
    const bob = await person('bob')
    const theirs = ok(await bob.auth.passkey.startRegistration())
    const credential = written(new SoftKey({ passkey: true }).create({ publicKey: theirs.options }))
    refused(await ada.auth.passkey.verifyRegistration({ challengeId: theirs.challenge_id, credential }), 400, 'webauthn_challenge_not_found')
    const evil = ok(await bob.auth.passkey.startRegistration())
    const foreign = written(new SoftKey({ passkey: true }).create({ publicKey: evil.options }, { origin: 'https://evil.example' }))
    refused(await bob.auth.passkey.verifyRegistration({ challengeId: evil.challenge_id, credential: foreign }), 400, 'webauthn_verification_failed')
    refused(await bob.auth.passkey.verifyRegistration({ challengeId: evil.challenge_id, credential }), 400, 'webauthn_challenge_not_found')
    assert.deepEqual(ok(await bob.auth.passkey.list()), [])
  })

  test('that asked nobody is refused', async () => {
    const ada = await person('ada')
    const { challenge_id: challengeId, options } = ok(await ada.auth.passkey.startRegistration())
    const touched = written(new SoftKey().create({ publicKey: options }))
    refused(await ada.auth.passkey.verifyRegistration({ challengeId, credential: touched }), 400, 'webauthn_verification_failed')
  })

  test('makes an admin an admin who has another second step', async () => {
    const boss = await admin()
    const { key } = await registered(boss.auth)
    ok(await boss.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }))
    const auth = authClient()
    const { session } = ok(await auth.passkey.verifyAuthentication(await answered(auth, key)))
    ok(await functionsClient(session.access_token).invoke('audit', { body: {} }))
  })
})

describe('a passkey where every admin needs two steps, at another instance', () => {
  let server
  before(async () => {
    server = await anotherInstance({ GREENROOM_ADMIN_MFA: 'required' })
  })
  after(() => server.stop())

  test('is asked here and answered there, once', async (t) => {
    if (!process.env.GREENROOM_DATABASE_URL) return t.skip('instances share a PostgreSQL')
    const ada = await person('ada')
    const { key } = await registered(ada.auth)
    const here = authClient()
    const there = authClient({ url: `${server.url}/auth/v1` })
    const good = await answered(here, key)
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? here : there).passkey.verifyAuthentication(good)))
    assert.equal(results.filter(({ error }) => error === null).length, 1)
    const { options, challenge_id: challengeId } = ok(await ada.auth.passkey.startRegistration())
    ok(await there.signInWithPassword({ email: ada.email, password }))
    const credential = written(new SoftKey({ passkey: true }).create({ publicKey: options }))
    refused(await there.passkey.verifyRegistration({ challengeId, credential }), 400, 'webauthn_challenge_not_found') // another session's
  })

  test('is made here, used, listed, renamed and taken away there', async (t) => {
    if (!process.env.GREENROOM_DATABASE_URL) return t.skip('instances share a PostgreSQL')
    const ada = await person('ada')
    const there = authClient({ url: `${server.url}/auth/v1` })
    ok(await there.setSession((await ada.auth.getSession()).data.session))
    const { challenge_id: challengeId, options } = ok(await ada.auth.passkey.startRegistration())
    const key = new SoftKey({ passkey: true })
    const made = ok(await there.passkey.verifyRegistration({ challengeId, credential: written(key.create({ publicKey: options })) }))
    const auth = authClient({ url: `${server.url}/auth/v1` })
    assert.equal(ok(await auth.passkey.verifyAuthentication(await answered(authClient(), key))).user.id, ada.id)
    assert.deepEqual(ok(await ada.auth.passkey.list()).map(({ id }) => id), [made.id])
    ok(await auth.passkey.update({ passkeyId: made.id, friendlyName: 'My laptop' }))
    assert.equal(ok(await ada.auth.passkey.list())[0].friendly_name, 'My laptop')
    ok(await ada.auth.passkey.delete({ passkeyId: made.id }))
    assert.ok((await auth.getUser()).error, 'the session that it opened has ended there')
    refused(await auth.passkey.verifyAuthentication(await answered(authClient(), key)), 400, 'webauthn_verification_failed')
  })

  test('is refused there as here: again, of another site, unknown, copied', async (t) => {
    if (!process.env.GREENROOM_DATABASE_URL) return t.skip('instances share a PostgreSQL')
    const ada = await person('ada')
    const { key } = await registered(ada.auth)
    const here = authClient()
    const there = authClient({ url: `${server.url}/auth/v1` })
    const no = async (answer, code = 'webauthn_verification_failed') => refused(await there.passkey.verifyAuthentication(answer), 400, code)
    const good = await answered(here, key)
    ok(await here.passkey.verifyAuthentication(good))
    await no(good, 'webauthn_challenge_not_found')
    await no({ ...good, challengeId: (await answered(here, key)).challengeId })
    await no(await answered(here, key, { origin: 'https://evil.example' }))
    await no(await answered(here, key, { origin: server.url })) // where it listens is not what the site is called
    await no(await answered(here, key, { rpId: 'evil.example' }))
    const unknown = new SoftKey({ passkey: true })
    unknown.create({ publicKey: ok(await ada.auth.passkey.startRegistration()).options })
    await no(await answered(here, unknown))
    const counted = key.counter
    key.counter = 0
    await no(await answered(here, key))
    key.counter = counted
    ok(await there.passkey.verifyAuthentication(await answered(here, key)))
  })

  test('is enough for an admin, where the password is not', async (t) => {
    if (!process.env.GREENROOM_DATABASE_URL) return t.skip('the admin is made at the other instance')
    const boss = await admin()
    const { key } = await registered(boss.auth)
    const asked = (token) => fetch(`${server.url}/functions/v1/audit`, { method: 'POST', body: '{}', headers: { apikey: process.env.CONTRACT_KEY, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' } })
    assert.equal((await asked(boss.token)).status, 403)
    const auth = authClient()
    const { session } = ok(await auth.passkey.verifyAuthentication(await answered(auth, key)))
    assert.equal((await asked(session.access_token)).status, 200)
  })
})
