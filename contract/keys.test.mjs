// A new signing key beside people who are signed in, through the command and the official client.
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { authClient, greenroom, key, password, person, uniqueEmail, url } from './greenroom.mjs'
import { anotherInstance } from './instance.mjs'

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

test('keys of the operator sign, RSA ones too, and a token from the future is named as one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-keys-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const jwk = { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kid: 'ours', alg: 'RS256' }
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [jwk] }))
  const server = await anotherInstance({ GREENROOM_JWT_KEYS: join(folder, 'keys.json') })
  t.after(() => server.stop())
  const auth = authClient({ url: `${server.url}/auth/v1` })
  const { session } = ok(await auth.signUp({ email: uniqueEmail('rsa'), password }))
  const { header, claims } = ok(await auth.getClaims())
  assert.deepEqual([header.alg, header.kid], ['RS256', 'ours'])
  const read = (token) => fetch(`${server.url}/rest/v1/courses?select=id&limit=1`, { headers: { apikey: key, Authorization: `Bearer ${token}` } })
  assert.equal((await read(session.access_token)).status, 200)
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = (change) => {
    const text = `${encode({ alg: 'RS256', kid: 'ours', typ: 'JWT' })}.${encode({ ...claims, ...change })}`
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' })).toString('base64url')}`
  }
  assert.equal((await read(signed({}))).status, 200)
  for (const [change, message] of [
    [{ iat: claims.iat + 600 }, 'JWT issued at future'],
    [{ nbf: claims.iat + 600 }, 'JWT not yet valid'],
    [{ exp: claims.iat - 600 }, 'JWT expired'],
  ]) {
    const refused = await read(signed(change))
    assert.deepEqual([refused.status, await refused.json()], [401, { code: 'PGRST303', details: null, hint: null, message }])
  }
})
