// What a person does with their own account, through functions-js.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { admin, authClient, functionsClient, password, person } from './greenroom.mjs'

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = async ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  const body = await error.context.json()
  assert.deepEqual([error.context.status, code && body.code], [status, code], JSON.stringify(body))
}

const list = async (functions, query = '') => ok(await functions.invoke(`sessions${query}`, { method: 'GET' })).sessions

describe('sessions', () => {
  test('are seen and ended by their owner', async () => {
    const ada = await person('ada')
    const laptop = authClient()
    const second = ok(await laptop.signInWithPassword({ email: ada.email, password })).session
    const seen = await list(ada.functions)
    assert.equal(seen.length, 2)
    assert.deepEqual(seen.map((one) => one.current).sort(), [false, true])
    assert.ok(seen.every((one) => one.id && one.device && one.created_at && one.last_seen_at && one.strong === false), JSON.stringify(seen))
    const other = seen.find((one) => !one.current)
    const bob = await person('bob')
    await refused(await bob.functions.invoke('sessions', { body: { end: other.id } }), 404)
    assert.deepEqual(ok(await ada.functions.invoke('sessions', { body: { end: other.id } })), { ended: other.id })
    await refused(await ada.functions.invoke('sessions', { body: { end: other.id } }), 404)
    await refused(await functionsClient(second.access_token).invoke('sessions', { method: 'GET' }), 401)
    const { error } = await laptop.refreshSession()
    assert.equal(error.status, 400)
    assert.equal((await list(ada.functions)).length, 1)
  })

  test('are ended all at once, but for one', async () => {
    const ada = await person('ada')
    ok(await authClient().signInWithPassword({ email: ada.email, password }))
    ok(await authClient().signInWithPassword({ email: ada.email, password }))
    assert.equal((await list(ada.functions)).length, 3)
    assert.equal((await ada.auth.signOut({ scope: 'others' })).error, null)
    assert.deepEqual((await list(ada.functions)).map((one) => one.current), [true])
  })

  test('of anybody are seen and ended by admins alone', async () => {
    const ada = await person('ada')
    const bob = await person('bob')
    await refused(await bob.functions.invoke(`sessions?user_id=${ada.id}`, { method: 'GET' }), 403)
    const boss = await admin()
    const [one] = await list(boss.functions, `?user_id=${ada.id}`)
    ok(await boss.functions.invoke('sessions', { body: { end: one.id, user_id: ada.id } }))
    await refused(await ada.functions.invoke('sessions', { method: 'GET' }), 401)
    await refused(await functionsClient().invoke('sessions', { method: 'GET' }), 401)
  })
})

describe('my data', () => {
  test('is all that is kept of a person, and of nobody else', async () => {
    const ada = await person('ada')
    const bob = await person('bob')
    const { data: courses } = await ada.data.from('courses').select('id').limit(1)
    ok(await ada.data.from('saved_courses').insert({ user_id: ada.id, course_id: courses[0].id }))
    ok(await bob.data.from('saved_courses').insert({ user_id: bob.id, course_id: courses[0].id }))
    const { data, error, response } = await ada.functions.invoke('my-data', { method: 'GET' })
    assert.equal(error, null)
    assert.match(response.headers.get('content-disposition'), /attachment; filename="?greenroom-my-data\.json/)
    assert.deepEqual([data.account.id, data.account.email], [ada.id, ada.email])
    assert.deepEqual(data.saved_courses.map((row) => row.course_id), [courses[0].id])
    assert.equal(data.sessions.length, 1)
    const text = JSON.stringify(data)
    assert.ok(!text.includes(bob.id) && !text.includes(bob.email))
    assert.ok(!/password_hash|argon2|token_hash/.test(text), text)
    await refused(await functionsClient().invoke('my-data', { method: 'GET' }), 401)
  })
})

describe('deleting an account', () => {
  test('takes the password, and leaves nothing to sign in to', async () => {
    const ada = await person('ada')
    await refused(await ada.functions.invoke('delete-account', { body: { password: 'not the passphrase' } }), 403, 'current_password_invalid')
    assert.deepEqual(ok(await ada.functions.invoke('delete-account', { body: { password } })), { deleted: true })
    await refused(await ada.functions.invoke('my-data', { method: 'GET' }), 401)
    assert.equal((await ada.auth.signOut({ scope: 'local' })).error, null)
    const { error } = await authClient().signInWithPassword({ email: ada.email, password })
    assert.equal(error.code, 'invalid_credentials')
    ok(await authClient().signUp({ email: ada.email, password })) // the address is free again
  })

  test('is done at once by somebody who has just signed in', async () => {
    const ada = await person('ada')
    assert.deepEqual(ok(await ada.functions.invoke('delete-account', { body: {} })), { deleted: true })
    const { error } = await ada.auth.getUser()
    assert.ok(error)
    await refused(await functionsClient().invoke('delete-account', { body: {} }), 401)
  })
})
