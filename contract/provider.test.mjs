// Signing in through a provider: the official client, our server, and an OpenID provider on loopback.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { authClient, password, person, uniqueEmail, url } from './greenroom.mjs'

const site = 'http://localhost:8080'
const provider = process.env.CONTRACT_PROVIDER

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
}

/** A browser tab: a client, and the cookies of the server that the client talks to. */
function tab(options = {}) {
  const cookies = new Map()
  const keep = (answer) => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0].split('=')
      cookies.set(name, value)
    }
    return answer
  }
  const auth = authClient({ fetch: async (...request) => keep(await fetch(...request)), ...options })
  /** Opens an address and follows it over the provider and back, to the page where the browser lands. */
  async function travel(address) {
    for (let hops = 0; hops < 5; hops++) {
      const here = address.replace(`${site}/auth/v1/`, `${url}/auth/v1/`)
      const ours = here.startsWith(`${url}/auth/v1/`)
      if (!ours && !here.startsWith(`${provider}/`)) return new URL(address)
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = keep(await fetch(here, { redirect: 'manual', headers: ours ? { cookie } : {} }))
      address = answer.headers.get('location')
      assert.ok(address, `${here} answered ${answer.status} ${await answer.text()}`)
    }
    throw new Error(`the browser is led in circles: ${address}`)
  }
  return { auth, travel }
}

const hash = (landed) => new URLSearchParams(landed.hash.slice(1))

async function signedIn(email, options) {
  const browser = tab(options)
  const { url: address } = ok(
    await browser.auth.signInWithOAuth({
      provider: 'acme',
      options: { skipBrowserRedirect: true, redirectTo: `${site}/account`, queryParams: { login_hint: email } },
    }),
  )
  return { browser, landed: await browser.travel(address) }
}

describe('a provider', () => {
  test('opens a session in the implicit flow', async () => {
    const email = uniqueEmail('ada')
    const { browser, landed } = await signedIn(email)
    assert.equal(`${landed.origin}${landed.pathname}`, `${site}/account`)
    const said = hash(landed)
    assert.equal(said.get('provider_token'), 'at')
    const { user } = ok(await browser.auth.setSession({ access_token: said.get('access_token'), refresh_token: said.get('refresh_token') }))
    assert.deepEqual([user.email, user.app_metadata.provider, user.user_metadata.name, user.identities[0].provider], [email, 'acme', 'Ada', 'acme'])
    assert.equal(ok(await browser.auth.getClaims()).claims.amr[0].method, 'oauth')
    ok(await browser.auth.refreshSession())
    // The same person again is the same account.
    const again = await signedIn(email)
    assert.equal(ok(await authClient().getUser(hash(again.landed).get('access_token'))).user.id, user.id)
  })

  test('opens a session in the PKCE flow, with its own tokens', async () => {
    const email = uniqueEmail('ada')
    const { browser, landed } = await signedIn(email, { flowType: 'pkce' })
    assert.equal(landed.hash, '')
    const { session } = ok(await browser.auth.exchangeCodeForSession(landed.searchParams.get('code')))
    assert.deepEqual([session.user.email, session.provider_token, session.provider_refresh_token], [email, 'at', 'rt'])
  })

  test('refuses another browser, and a person who says no', async () => {
    const { url: address } = ok(await tab().auth.signInWithOAuth({ provider: 'acme', options: { skipBrowserRedirect: true } }))
    const victim = tab()
    // Somebody sends the way back of their own sign-in to another browser.
    const there = (await fetch(address, { redirect: 'manual' })).headers.get('location')
    const callback = (await fetch(there, { redirect: 'manual' })).headers.get('location')
    const stolen = await victim.travel(callback)
    assert.deepEqual([stolen.origin, stolen.searchParams.get('error_code'), stolen.hash], [site, 'bad_oauth_state', ''])
    const { url: asked } = ok(await victim.auth.signInWithOAuth({ provider: 'acme', options: { skipBrowserRedirect: true, queryParams: { prompt: 'none' } } }))
    const no = await victim.travel(asked)
    assert.equal(no.searchParams.get('error_code'), 'bad_oauth_callback')
    assert.equal(hash(no).get('error_code'), 'bad_oauth_callback')
    assert.equal(hash(no).get('access_token'), null)
  })

  test('does not open an account by an address that it has not verified', async () => {
    const email = uniqueEmail('unverified')
    const owner = authClient()
    ok(await owner.signUp({ email, password }))
    const { landed } = await signedIn(email)
    assert.equal(landed.searchParams.get('error_code'), 'provider_email_needs_verification')
    assert.equal(ok(await owner.getUser()).user.identities.length, 1)
  })

  test('is unknown by another name', async () => {
    const { url: address } = ok(await tab().auth.signInWithOAuth({ provider: 'google', options: { skipBrowserRedirect: true } }))
    const answer = await fetch(address, { redirect: 'manual' })
    assert.deepEqual([answer.status, (await answer.json()).error_code], [400, 'validation_failed'])
  })
})

describe('connected accounts', () => {
  test('are added, listed and taken away', async () => {
    const browser = tab()
    const email = uniqueEmail('ada')
    ok(await browser.auth.signUp({ email, password }))
    const connect = async (hint) => {
      const { url: address } = ok(
        await browser.auth.linkIdentity({ provider: 'acme', options: { skipBrowserRedirect: true, redirectTo: `${site}/settings`, queryParams: { login_hint: hint } } }),
      )
      assert.ok(address.startsWith(`${provider}/authorize?`), address)
      return browser.travel(address)
    }
    const work = uniqueEmail('unverified-work') // connecting asks the caller, not the address
    assert.ok(hash(await connect(work)).get('access_token'))
    const { identities } = ok(await browser.auth.getUserIdentities())
    assert.deepEqual(identities.map((one) => one.provider), ['email', 'acme'])
    assert.equal(ok(await browser.auth.getUser()).user.email, email)
    ok(await browser.auth.unlinkIdentity(identities[1]))
    refused(await browser.auth.unlinkIdentity(identities[0]), 422, 'single_identity_not_deletable')
    refused(await browser.auth.unlinkIdentity(identities[1]), 422, 'identity_not_found')

    // What belongs to somebody else stays with them.
    const taken = uniqueEmail('bob')
    await signedIn(taken)
    assert.equal((await connect(taken)).searchParams.get('error_code'), 'identity_already_exists')
  })
})

describe('an ID token', () => {
  const idToken = async (email, nonce) => {
    const query = new URLSearchParams({ login_hint: email, ...(nonce ? { nonce: createHash('sha256').update(nonce).digest('hex') } : {}) })
    return (await (await fetch(`${provider}/id-token?${query}`)).json()).id_token
  }

  test('signs in, with the nonce of the app that asked', async () => {
    const email = uniqueEmail('ada')
    const nonce = randomUUID()
    const auth = authClient()
    const token = await idToken(email, nonce)
    const { user } = ok(await auth.signInWithIdToken({ provider: 'acme', token, nonce }))
    assert.deepEqual([user.email, user.app_metadata.provider], [email, 'acme'])
    for (const wrong of [{ nonce: 'another' }, {}]) {
      const { error } = await authClient().signInWithIdToken({ provider: 'acme', token, ...wrong })
      assert.equal(error?.status, 400, JSON.stringify(wrong))
    }
    const broken = await authClient().signInWithIdToken({ provider: 'acme', token: `${token.slice(0, -2)}AA`, nonce })
    assert.equal(broken.error?.status, 400)
    ok(await authClient().signInWithIdToken({ provider: 'acme', token: await idToken(email) }))
  })

  test('connects an account', async () => {
    const ada = await person('ada')
    const { user } = ok(await ada.auth.linkIdentity({ provider: 'acme', token: await idToken(uniqueEmail('work')) }))
    assert.equal(user.id, ada.id)
    assert.deepEqual(ok(await ada.auth.getUserIdentities()).identities.map((one) => one.provider), ['email', 'acme'])
  })
})
