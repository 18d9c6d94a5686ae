// Signing in without an address, through the official client, where the operator allows it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { FunctionsClient } from '@supabase/functions-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { authClient, key, password, uniqueEmail } from './greenroom.mjs'
import { anotherInstance, lettersTo, open } from './instance.mjs'

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
}

const claims = (session) => JSON.parse(Buffer.from(session.access_token.split('.')[1], 'base64url'))

describe('a guest', () => {
  let server
  const client = () => authClient({ url: `${server.url}/auth/v1` })
  const data = (session) =>
    new PostgrestClient(`${server.url}/rest/v1`, { headers: { apikey: key, Authorization: `Bearer ${session.access_token}` }, retry: false })
  before(async () => {
    server = await anotherInstance({ GREENROOM_ANONYMOUS: 'on' })
  })
  after(() => server.stop())

  test('comes in without an address and keeps a list', async () => {
    const auth = client()
    const { user, session } = ok(await auth.signInAnonymously({ options: { data: { theme: 'dark' } } }))
    assert.deepEqual([user.is_anonymous, user.email, user.user_metadata.theme, user.identities], [true, '', 'dark', []])
    assert.deepEqual([claims(session).is_anonymous, claims(session).role, claims(session).amr[0].method], [true, 'authenticated', 'anonymous'])
    const { data: courses } = await data(session).from('courses').select('id').limit(1)
    ok(await data(session).from('saved_courses').insert({ user_id: user.id, course_id: courses[0].id }))
    assert.equal(ok(await data(session).from('saved_courses').select()).length, 1)
    const again = ok(await auth.refreshSession())
    assert.deepEqual([again.user.id, again.user.is_anonymous], [user.id, true])
    refused(await auth.mfa.enroll({ factorType: 'totp' }), 403, 'no_authorization')
    refused(await auth.updateUser({ password }), 422, 'validation_failed')
  })

  test('takes an account and keeps what was theirs', async () => {
    const auth = client()
    const email = uniqueEmail('guest')
    const { user } = ok(await auth.signInAnonymously())
    const known = ok(await auth.updateUser({ email, password })).user
    assert.deepEqual([known.id, known.email, known.is_anonymous, known.identities[0].provider], [user.id, email, false, 'email'])
    const { session } = ok(await auth.refreshSession())
    assert.equal(claims(session).is_anonymous, false)
    const elsewhere = ok(await client().signInWithPassword({ email, password }))
    assert.equal(elsewhere.user.id, user.id)
    const other = client()
    ok(await other.signInAnonymously())
    refused(await other.updateUser({ email, password }), 422, 'email_exists')
  })
})

describe('a guest with a list', () => {
  let server
  before(async () => {
    server = await anotherInstance({ GREENROOM_ANONYMOUS: 'on' })
  })
  after(() => server.stop())

  for (const way of ['signs up', 'signs in']) {
    test(`${way} and takes it along`, async () => {
      const client = () => authClient({ url: `${server.url}/auth/v1` })
      const headers = ({ access_token }) => ({ apikey: key, Authorization: `Bearer ${access_token}` })
      const data = (session) => new PostgrestClient(`${server.url}/rest/v1`, { headers: headers(session), retry: false })
      const email = uniqueEmail('guest')
      if (way === 'signs in') ok(await client().signUp({ email, password }))
      const auth = client()
      const guest = ok(await auth.signInAnonymously())
      const { data: courses } = await data(guest.session).from('courses').select('id').limit(2)
      ok(await data(guest.session).from('saved_courses').insert(courses.map(({ id }) => ({ user_id: guest.user.id, course_id: id }))))
      const { session } = ok(await (way === 'signs in' ? auth.signInWithPassword({ email, password }) : auth.signUp({ email, password })))
      assert.notEqual(session.user.id, guest.user.id)
      const functions = new FunctionsClient(`${server.url}/functions/v1`, { headers: headers(session) })
      const body = { token: guest.session.access_token }
      assert.deepEqual(ok(await functions.invoke('adopt-guest', { body })), { kept: 2 })
      assert.equal(ok(await data(session).from('saved_courses').select()).length, 2)
      assert.equal((await functions.invoke('adopt-guest', { body })).error?.context.status, 403)
      refused(await client().getUser(guest.session.access_token), 403, 'user_not_found')
    })
  }
})

describe('a guest where addresses are confirmed', () => {
  let server
  before(async () => {
    server = await anotherInstance({ GREENROOM_ANONYMOUS: 'on', GREENROOM_CONFIRM_EMAIL: 'true' })
  })
  after(() => server.stop())

  test('opens a letter first', async () => {
    const auth = authClient({ url: `${server.url}/auth/v1` })
    const email = uniqueEmail('guest')
    const { user } = ok(await auth.signInAnonymously())
    const waiting = ok(await auth.updateUser({ email })).user
    assert.deepEqual([waiting.is_anonymous, waiting.new_email, waiting.email], [true, email, ''])
    const [letter] = await lettersTo(email, 1, server.mail)
    const { session } = ok(await auth.verifyOtp({ email, token: open(letter).code, type: 'email_change' }))
    assert.deepEqual([session.user.id, session.user.email, session.user.is_anonymous], [user.id, email, false])
    ok(await auth.updateUser({ password }))
    ok(await authClient({ url: `${server.url}/auth/v1` }).signInWithPassword({ email, password }))
  })
})
