// The operator's endpoints through the official client's admin part.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { authClient, greenroom, letterTo, password, person, uniqueEmail } from './greenroom.mjs'

const service = process.env.GREENROOM_SERVICE_KEY
const operator = (token = service) => authClient({ headers: { apikey: process.env.CONTRACT_KEY, Authorization: `Bearer ${token}` } }).admin

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
}

describe('the operator', () => {
  test('makes, finds, changes, bans and deletes users', async () => {
    const admin = operator()
    const email = uniqueEmail('ada')
    const { user } = ok(await admin.createUser({ email, password, email_confirm: true, user_metadata: { name: 'Ada' } }))
    assert.deepEqual(user.user_metadata, { name: 'Ada' })
    assert.equal(ok(await admin.getUserById(user.id)).user.email, email)
    const page = ok(await admin.listUsers({ page: 1, perPage: 1 }))
    assert.equal(page.users.length, 1)
    assert.ok(page.total >= 1 && page.lastPage >= 1)
    refused(await admin.createUser({ email }), 422, 'email_exists')
    const auth = authClient()
    ok(await auth.signInWithPassword({ email, password }))
    ok(await admin.updateUserById(user.id, { ban_duration: '24h', app_metadata: { plan: 'gold' } }))
    refused(await authClient().signInWithPassword({ email, password }), 400, 'user_banned')
    refused(await auth.getUser(), 403, 'user_banned')
    ok(await admin.updateUserById(user.id, { ban_duration: 'none' }))
    assert.equal(ok(await authClient().signInWithPassword({ email, password })).user.app_metadata.plan, 'gold')
    assert.equal(ok(await admin.deleteUser(user.id)).user.id, user.id)
    refused(await admin.getUserById(user.id), 404, 'user_not_found')
    refused(await admin.getUserById(randomUUID()), 404, 'user_not_found')
  })

  test('invites, and makes links without a letter', async () => {
    const admin = operator()
    const email = uniqueEmail('guest')
    assert.ok(ok(await admin.inviteUserByEmail(email, { data: { name: 'Guest' } })).user.invited_at)
    assert.match(await letterTo(email), /invited/i)
    const { properties, user } = ok(await admin.generateLink({ type: 'magiclink', email }))
    assert.ok(properties.action_link.includes(`/verify?token=${properties.hashed_token}&type=magiclink&redirect_to=`), properties.action_link)
    assert.equal(user.email, email)
    const auth = authClient()
    assert.equal(ok(await auth.verifyOtp({ type: properties.verification_type, token_hash: properties.hashed_token })).user.id, user.id)
    refused(await admin.inviteUserByEmail(email), 422, 'email_exists')
  })

  test('sees and removes factors', async () => {
    const ada = await person('ada')
    const admin = operator()
    assert.deepEqual(ok(await admin.mfa.listFactors({ userId: ada.id })).factors, [])
    const factor = ok(await ada.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }))
    assert.equal(ok(await admin.mfa.listFactors({ userId: ada.id })).factors[0].id, factor.id)
    ok(await admin.mfa.deleteFactor({ userId: ada.id, id: factor.id }))
    assert.deepEqual(ok(await admin.mfa.listFactors({ userId: ada.id })).factors, [])
  })

  test('ends a session with its token', async () => {
    const ada = await person('ada')
    ok(await operator().signOut(ada.token, 'global'))
    assert.equal((await authClient().getUser(ada.token)).error.name, 'AuthSessionMissingError')
  })

  test('is nobody with a person’s token or with the key of the pages', async () => {
    const ada = await person('ada')
    refused(await operator(ada.token).listUsers(), 403, 'not_admin')
    refused(await operator(process.env.CONTRACT_KEY).listUsers(), 403, 'bad_jwt')
  })

  test('imports accounts of the reference service, passwords kept', async () => {
    const file = join(tmpdir(), `${randomUUID()}.csv`)
    const [kept, lost, id] = [uniqueEmail('kept'), uniqueEmail('lost'), randomUUID()]
    // bcrypt of "an old passphrase"
    const hash = '$2a$10$uPnr/jShiF6GndGjRtl/7.A9IEalZD0UBM4kUng6e92M/YXDBbN7S'
    writeFileSync(
      file,
      `id,email,encrypted_password,email_confirmed_at,raw_user_meta_data\n${id},${kept},${hash},2024-05-01 10:00:00+00,"{""name"":""Kept""}"\n${randomUUID()},${lost},,2024-05-01 10:00:00+00,\n`,
    )
    const said = greenroom('user', 'import', file)
    assert.match(said, /2 accounts came in, 0 were here already/)
    assert.match(said, /have no password/)
    assert.equal(ok(await authClient().signInWithPassword({ email: kept, password: 'an old passphrase' })).user.id, id)
    refused(await authClient().signInWithPassword({ email: lost, password: 'an old passphrase' }), 400, 'invalid_credentials')
    assert.equal(ok(await operator().getUserById(id)).user.user_metadata.name, 'Kept')
  })
})
