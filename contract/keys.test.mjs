// A new signing key beside people who are signed in, through the command and the official client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authClient, greenroom, key, person, url } from './greenroom.mjs'

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const kid = (token) => JSON.parse(Buffer.from(token.split('.')[0], 'base64url')).kid

test('a rotation signs nobody out and fails no call', async () => {
  const ada = await person('ada')
  const before = kid(ada.token)
  ok(await ada.auth.getClaims()) // the client keeps the older key set
  assert.match(greenroom('keys', 'rotate'), /A new key signs/)
  let token = ada.token
  for (const end = Date.now() + 20_000; kid(token) === before; ) {
    assert.ok(Date.now() < end, 'the new key never signs')
    token = ok(await ada.auth.refreshSession()).session.access_token
    ok(await ada.auth.getUser())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.equal(ok(await ada.auth.getClaims()).header.kid, kid(token))
  assert.equal(ok(await authClient().getUser(ada.token)).user.id, ada.id, 'the older token is good until it expires')
  const set = await (await fetch(`${url}/auth/v1/.well-known/jwks.json`, { headers: { apikey: key } })).json()
  assert.deepEqual(set.keys.map((one) => one.kid).sort(), [before, kid(token)].sort())
  assert.ok(set.keys.every((one) => one.d === undefined), 'a private key is public')
})
