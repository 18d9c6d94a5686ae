// Every auth flow, happy and refused, through the official client.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { anotherInstance, lettersTo, open } from './instance.mjs'
import { authClient, dataClient, key, letterTo, password, person, uniqueEmail, url } from './greenroom.mjs'

const site = 'http://localhost:8080'
const newPassword = 'a different long passphrase'

/** The data of an answer without error. */
const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}

/** An answer that must be this error. */
const refused = ({ data, error }, status, code) => {
  assert.ok(error, `no error but ${JSON.stringify(data)}`)
  assert.deepEqual([error.status, error.code], [status, code], JSON.stringify(error))
  return error
}

/** Listens to a client's events. */
const events = (auth) => {
  const seen = []
  auth.onAuthStateChange((event) => void seen.push(event))
  return seen
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

describe('signing up and in', () => {
  test('an account is open at once, and the session works', async () => {
    const auth = authClient()
    const seen = events(auth)
    await settled()
    const email = uniqueEmail('ada')
    const { user, session } = ok(await auth.signUp({ email: email.toUpperCase(), password, options: { data: { name: 'Ada' }, emailRedirectTo: site } }))
    assert.equal(user.email, email)
    assert.equal(user.user_metadata.name, 'Ada')
    assert.deepEqual(user.app_metadata, { provider: 'email', providers: ['email'] })
    assert.equal(user.identities.length, 1)
    assert.equal(session.token_type, 'bearer')
    assert.ok(session.refresh_token.length >= 22)
    assert.equal(ok(await auth.getUser()).user.id, user.id)
    assert.equal(ok(await auth.getSession()).session.access_token, session.access_token)
    ok(await auth.signOut())
    assert.equal(ok(await auth.getSession()).session, null)
    await settled()
    assert.deepEqual(seen, ['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT'])
  })

  test('signing in, with the right password and with wrong ones', async () => {
    const ada = await person('ada')
    const auth = authClient()
    const seen = events(auth)
    refused(await auth.signInWithPassword({ email: ada.email, password: 'the wrong passphrase' }), 400, 'invalid_credentials')
    const unknown = refused(await auth.signInWithPassword({ email: uniqueEmail(), password }), 400, 'invalid_credentials')
    assert.equal(unknown.message, 'Invalid login credentials')
    const { user, weakPassword } = ok(await auth.signInWithPassword({ email: ada.email, password }))
    assert.equal(user.id, ada.id)
    assert.equal(weakPassword, undefined)
    await settled()
    assert.deepEqual(seen, ['INITIAL_SESSION', 'SIGNED_IN'])
  })

  test('sign-up is refused for a taken address, a weak password and a bad address', async () => {
    const ada = await person('ada')
    const taken = refused(await authClient().signUp({ email: ada.email, password }), 422, 'user_already_exists')
    assert.match(taken.message, /already registered/)
    const short = refused(await authClient().signUp({ email: uniqueEmail(), password: 'short' }), 422, 'weak_password')
    assert.equal(short.name, 'AuthWeakPasswordError')
    assert.deepEqual(short.reasons, ['length'])
    assert.deepEqual(refused(await authClient().signUp({ email: uniqueEmail(), password: 'passwordpassword' }), 422, 'weak_password').reasons, ['pwned'])
    refused(await authClient().signUp({ email: 'no address', password }), 400, 'validation_failed')
    refused(await authClient().signInAnonymously(), 422, 'anonymous_provider_disabled')
    refused(await authClient().signUp({ phone: '+15550100', password }), 400, 'phone_provider_disabled')
  })

  test('whoever is signed in shows again that it is them', async () => {
    const ada = await person('ada')
    refused(await ada.auth.updateUser({ current_password: 'the wrong passphrase' }), 400, 'current_password_invalid')
    refused(await ada.auth.updateUser({ nonce: '000000' }), 422, 'reauthentication_not_valid')
    assert.equal(ok(await ada.auth.updateUser({ current_password: password })).user.id, ada.id)
    ok(await ada.auth.reauthenticate())
    const nonce = (await letterTo(ada.email)).match(/\b\d{6}\b/)[0]
    assert.equal(ok(await ada.auth.updateUser({ nonce })).user.id, ada.id)
    ok(await ada.auth.refreshSession())
    assert.deepEqual(ok(await ada.auth.mfa.getAuthenticatorAssuranceLevel()).currentAuthenticationMethods.map(({ method }) => method), ['otp', 'password'])
  })

  test('ways in that are off answer as the auth service does', async () => {
    const auth = authClient()
    refused(await auth.signInWithPassword({ phone: '+15550100', password }), 422, 'phone_provider_disabled')
    assert.equal(refused(await auth.signInWithOtp({ phone: '+15550100' }), 400, 'phone_provider_disabled').message, 'Unsupported phone provider')
    refused(await auth.verifyOtp({ phone: '+15550100', token: '123456', type: 'sms' }), 403, 'otp_expired')
    refused(await auth.resend({ phone: '+15550100', type: 'sms' }), 400, 'phone_provider_disabled')
    const message = 'localhost wants you to sign in with your Solana account'
    const web3 = await auth.signInWithWeb3({ chain: 'solana', message, signature: new Uint8Array(64) })
    assert.equal(refused(web3, 422, 'web3_provider_disabled').message, 'Web3 provider is disabled')
  })

  test('the claims are checked against the published keys', async () => {
    const ada = await person('ada')
    const { claims, header } = ok(await ada.auth.getClaims())
    assert.equal(claims.sub, ada.id)
    assert.equal(claims.role, 'authenticated')
    assert.equal(claims.aud, 'authenticated')
    assert.equal(claims.aal, 'aal1')
    assert.equal(claims.amr[0].method, 'password')
    assert.equal(header.alg, 'ES256')
    const keys = await (await fetch(`${url}/auth/v1/.well-known/jwks.json`)).json()
    assert.ok(keys.keys.some((one) => one.kid === header.kid && one.d === undefined))
    const level = ok(await ada.auth.mfa.getAuthenticatorAssuranceLevel())
    assert.deepEqual([level.currentLevel, level.nextLevel], ['aal1', 'aal1'])
    const forged = ada.token.replace(/\.[^.]+\./, `.${Buffer.from(JSON.stringify({ ...claims, sub: 'x' })).toString('base64url')}.`)
    assert.ok((await authClient().getClaims(forged)).error)
  })
})

describe('staying signed in', () => {
  test('a refresh rotates the token and tells', async () => {
    const ada = await person('ada')
    const before = ok(await ada.auth.getSession()).session
    const seen = events(ada.auth)
    await settled()
    const { session } = ok(await ada.auth.refreshSession())
    assert.notEqual(session.refresh_token, before.refresh_token)
    assert.equal(session.user.id, ada.id)
    await settled()
    assert.deepEqual(seen, ['INITIAL_SESSION', 'TOKEN_REFRESHED'])
  })

  test('twenty tabs that refresh with one token all stay signed in, with one child', async () => {
    const ada = await person('ada')
    const { session } = ok(await ada.auth.getSession())
    const tabs = Array.from({ length: 20 }, () => authClient())
    const answers = await Promise.all(tabs.map((tab) => tab.refreshSession({ refresh_token: session.refresh_token })))
    const children = new Set(answers.map((answer) => ok(answer).session.refresh_token))
    assert.equal(children.size, 1)
    ok(await tabs[0].getUser())
    ok(await tabs[19].refreshSession())
  })

  test('the parent of an unused child is good, a grandparent within the window too', async () => {
    const ada = await person('ada')
    const first = ok(await ada.auth.getSession()).session.refresh_token
    const second = ok(await authClient().refreshSession({ refresh_token: first })).session.refresh_token
    assert.equal(ok(await authClient().refreshSession({ refresh_token: first })).session.refresh_token, second)
    const third = ok(await authClient().refreshSession({ refresh_token: second })).session.refresh_token
    assert.equal(ok(await authClient().refreshSession({ refresh_token: first })).session.refresh_token, third)
  })

  test('an old token after the window ends the family, and the client forgets its session', { timeout: 30_000 }, async () => {
    const ada = await person('ada')
    const first = ok(await ada.auth.getSession()).session.refresh_token
    const second = ok(await authClient().refreshSession({ refresh_token: first })).session.refresh_token
    const tab = authClient()
    ok(await tab.refreshSession({ refresh_token: second }))
    const seen = events(tab)
    await new Promise((resolve) => setTimeout(resolve, 10_500))
    refused(await authClient().refreshSession({ refresh_token: first }), 400, 'refresh_token_already_used')
    assert.ok((await tab.getUser()).error)
    assert.equal(ok(await tab.getSession()).session, null)
    await settled()
    assert.ok(seen.includes('SIGNED_OUT'), seen.join())
  })

  test('unknown and malformed tokens are refused', async () => {
    refused(await authClient().refreshSession({ refresh_token: 'x'.repeat(32) }), 400, 'refresh_token_not_found')
    refused(await authClient().refreshSession({ refresh_token: 'short' }), 400, 'validation_failed')
    refused(await authClient().setSession({ access_token: (await person('ada')).token.slice(0, -4) + 'AAAA', refresh_token: 'x'.repeat(32) }), 403, 'bad_jwt')
  })

  test('signing out ends sessions at the auth and the data API at once', async () => {
    const ada = await person('ada')
    const phone = authClient()
    const { session } = ok(await phone.signInWithPassword({ email: ada.email, password }))
    const rows = (token) => dataClient(token).from('user_roles').select('role')
    ok(await rows(session.access_token))
    ok(await ada.auth.signOut({ scope: 'others' }))
    assert.equal((await rows(session.access_token)).status, 401)
    assert.ok((await phone.getUser()).error)
    ok(await rows(ada.token))
    ok(await ada.auth.signOut({ scope: 'local' }))
    assert.equal((await rows(ada.token)).status, 401)
    assert.ok((await authClient().refreshSession({ refresh_token: session.refresh_token })).error)
  })
})

describe('recovering', () => {
  test('by the link, opened on the page that scanners cannot use up', async () => {
    const ada = await person('ada')
    ok(await ada.auth.resetPasswordForEmail(ada.email, { redirectTo: `${site}/auth/reset-password` }))
    const letter = open(await letterTo(ada.email))
    for (const method of ['HEAD', 'GET', 'GET']) {
      assert.equal((await fetch(letter.link, { method })).status, 200)
    }
    const landed = await letter.follow()
    assert.equal(`${landed.origin}${landed.pathname}`, `${site}/auth/reset-password`)
    const said = new URLSearchParams(landed.hash.slice(1))
    assert.equal(said.get('type'), 'recovery')
    const auth = authClient()
    const seen = events(auth)
    ok(await auth.setSession({ access_token: said.get('access_token'), refresh_token: said.get('refresh_token') }))
    ok(await auth.updateUser({ password: newPassword }))
    await settled()
    assert.deepEqual(seen, ['INITIAL_SESSION', 'SIGNED_IN', 'USER_UPDATED'])
    assert.ok((await ada.auth.getUser()).error, 'the other session survived')
    refused(await authClient().signInWithPassword({ email: ada.email, password }), 400, 'invalid_credentials')
    ok(await authClient().signInWithPassword({ email: ada.email, password: newPassword }))
    const again = new URLSearchParams((await letter.follow()).hash.slice(1))
    assert.equal(again.get('error_code'), 'otp_expired')
    assert.match((await lettersTo(ada.email, 2)).at(-1), /password was changed/i)
  })

  test('by the code', async () => {
    const ada = await person('ada')
    ok(await authClient().resetPasswordForEmail(ada.email))
    const letter = open(await letterTo(ada.email))
    const auth = authClient()
    const seen = events(auth)
    refused(await auth.verifyOtp({ email: ada.email, token: letter.code === '000000' ? '000001' : '000000', type: 'recovery' }), 403, 'otp_expired')
    refused(await auth.verifyOtp({ email: ada.email, token: letter.code, type: 'email' }), 403, 'otp_expired')
    ok(await auth.verifyOtp({ email: ada.email, token: letter.code, type: 'recovery' }))
    refused(await auth.verifyOtp({ email: ada.email, token: letter.code, type: 'recovery' }), 403, 'otp_expired')
    await settled()
    assert.deepEqual(seen, ['INITIAL_SESSION', 'PASSWORD_RECOVERY'])
  })

  test('in the PKCE flow', async () => {
    const ada = await person('ada')
    const auth = authClient({ flowType: 'pkce' })
    const seen = events(auth)
    ok(await auth.resetPasswordForEmail(ada.email, { redirectTo: `${site}/auth/reset-password` }))
    const landed = await open(await letterTo(ada.email)).follow()
    const code = landed.searchParams.get('code')
    assert.ok(code)
    assert.equal(landed.hash, '')
    const elsewhere = authClient({ flowType: 'pkce' })
    assert.ok((await elsewhere.exchangeCodeForSession(code)).error, 'a code without its verifier')
    const { session, redirectType } = ok(await auth.exchangeCodeForSession(code))
    assert.equal(session.user.id, ada.id)
    assert.equal(redirectType, 'recovery')
    refused(await auth.exchangeCodeForSession(code), 400, 'pkce_code_verifier_not_found')
    await settled()
    assert.deepEqual(seen, ['INITIAL_SESSION', 'PASSWORD_RECOVERY'])
  })

  test('an unknown address is answered like a known one', async () => {
    assert.deepEqual(ok(await authClient().resetPasswordForEmail(uniqueEmail())), {})
    ok(await authClient().signInWithOtp({ email: uniqueEmail(), options: { shouldCreateUser: false } }))
    refused(await authClient().resetPasswordForEmail('no address'), 400, 'validation_failed')
  })

  test('a redirect outside of the list leads to the site', async () => {
    const ada = await person('ada')
    ok(await ada.auth.resetPasswordForEmail(ada.email, { redirectTo: 'https://evil.example/steal' }))
    assert.equal((await open(await letterTo(ada.email)).follow()).origin, site)
  })
})

describe('signing in by mail', () => {
  test('a link opens an account', async () => {
    const email = uniqueEmail('new')
    assert.deepEqual(ok(await authClient().signInWithOtp({ email, options: { data: { name: 'New' }, emailRedirectTo: site } })), { user: null, session: null })
    const letter = open(await letterTo(email))
    const { user } = ok(await authClient().verifyOtp({ token_hash: new URL(letter.link).searchParams.get('token'), type: 'magiclink' }))
    assert.equal(user.user_metadata.name, 'New')
    assert.ok(user.email_confirmed_at)
  })

  test('a code of the type email', async () => {
    const ada = await person('ada')
    ok(await authClient().signInWithOtp({ email: ada.email }))
    const auth = authClient()
    const { session } = ok(await auth.verifyOtp({ email: ada.email, token: open(await letterTo(ada.email)).code, type: 'email' }))
    assert.equal(session.user.id, ada.id)
  })
})

describe('changing an account', () => {
  test('data is merged and told', async () => {
    const ada = await person('ada')
    const seen = events(ada.auth)
    await settled()
    const { user } = ok(await ada.auth.updateUser({ data: { name: 'Ada', theme: 'dark' } }))
    assert.equal(user.user_metadata.name, 'Ada')
    assert.equal(ok(await ada.auth.updateUser({ data: { theme: null } })).user.user_metadata.theme, undefined)
    await settled()
    assert.deepEqual(seen, ['INITIAL_SESSION', 'USER_UPDATED', 'USER_UPDATED'])
  })

  test('a password that is weak or the same is refused', async () => {
    const ada = await person('ada')
    assert.deepEqual(refused(await ada.auth.updateUser({ password: 'short' }), 422, 'weak_password').reasons, ['length'])
    refused(await ada.auth.updateUser({ password }), 422, 'same_password')
    refused(await ada.auth.updateUser({ password: newPassword, nonce: '123456' }), 422, 'reauthentication_not_valid')
    refused(await ada.auth.updateUser({ password: newPassword, current_password: 'not the one' }), 400, 'current_password_invalid')
    ok(await ada.auth.updateUser({ password: newPassword, current_password: password }))
  })

  test('a code by mail confirms that it is oneself', async () => {
    const ada = await person('ada')
    ok(await ada.auth.reauthenticate())
    const { code } = open(await letterTo(ada.email))
    ok(await ada.auth.updateUser({ password: newPassword, nonce: code }))
  })

  test('an address changes when both have agreed', async () => {
    const ada = await person('ada')
    const taken = await person('bob')
    refused(await ada.auth.updateUser({ email: taken.email }), 422, 'email_exists')
    const email = uniqueEmail('countess')
    const { user } = ok(await ada.auth.updateUser({ email }, { emailRedirectTo: site }))
    assert.deepEqual([user.email, user.new_email], [ada.email, email])
    const first = ok(await authClient().verifyOtp({ email, token: open(await letterTo(email)).code, type: 'email_change' }))
    assert.deepEqual(first, { user: null, session: null })
    const said = new URLSearchParams((await open(await letterTo(ada.email)).follow()).hash.slice(1))
    assert.equal(said.get('type'), 'email_change')
    ok(await authClient().signInWithPassword({ email, password }))
    assert.equal(ok(await ada.auth.getUser()).user.email, email)
  })
})

describe('what is switched off says so', () => {
  test('providers, factors, linking', async () => {
    const ada = await person('ada')
    refused(await ada.auth.mfa.enroll({ factorType: 'phone', phone: '+4930123456' }), 422, 'mfa_phone_enroll_not_enabled')
    refused(await authClient().signInWithIdToken({ provider: 'google', token: 'x' }), 400, 'validation_failed')
    refused(await ada.auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } }), 400, 'validation_failed')
    const { data } = await authClient().signInWithOAuth({ provider: 'google', options: { skipBrowserRedirect: true } })
    assert.equal((await fetch(data.url)).status, 400)
    assert.ok((await authClient().admin.listUsers()).error)
  })

  test('settings, health and unknown paths', async () => {
    const at = (path) => fetch(`${url}/auth/v1${path}`, { headers: { apikey: key } })
    const settings = await (await at('/settings')).json()
    assert.equal(settings.external.email, true)
    assert.equal(settings.mailer_autoconfirm, true)
    assert.equal((await (await at('/health')).json()).name, 'GoTrue')
    assert.equal(await (await at('/nothing')).text(), '404 page not found\n')
  })
})

describe('with addresses that must be confirmed', () => {
  let other
  before(async () => {
    other = await anotherInstance({ GREENROOM_CONFIRM_EMAIL: 'true' })
  })
  after(() => other.stop())
  const client = (options) => authClient({ url: `${other.url}/auth/v1`, ...options })

  test('a letter comes first, then the session', async () => {
    const email = uniqueEmail('ada')
    const { user, session } = ok(await client().signUp({ email, password }))
    assert.equal(session, null)
    assert.ok(user.confirmation_sent_at)
    refused(await client().signInWithPassword({ email, password }), 400, 'email_not_confirmed')
    ok(await client().resend({ type: 'signup', email }))
    const letters = await lettersTo(email, 2, other.mail)
    // Either of them opens the account, and then both are used.
    const landed = await open(letters[0], other.url).follow()
    assert.equal(new URLSearchParams(landed.hash.slice(1)).get('type'), 'signup')
    assert.equal(new URLSearchParams((await open(letters[1], other.url).follow()).hash.slice(1)).get('error_code'), 'otp_expired')
    ok(await client().signInWithPassword({ email, password }))
  })

  test('in the PKCE flow', async () => {
    const email = uniqueEmail('ada')
    const auth = client({ flowType: 'pkce' })
    const { session } = ok(await auth.signUp({ email, password, options: { emailRedirectTo: site } }))
    assert.equal(session, null)
    const [letter] = await lettersTo(email, 1, other.mail)
    const landed = await open(letter, other.url).follow()
    assert.equal(ok(await auth.exchangeCodeForSession(landed.searchParams.get('code'))).session.user.email, email)
  })

  test('a taken address is not given away, and its owner is told', async () => {
    const email = uniqueEmail('ada')
    ok(await client().signUp({ email, password }))
    const [letter] = await lettersTo(email, 1, other.mail)
    await open(letter, other.url).follow()
    const again = ok(await client().signUp({ email, password: newPassword }))
    const free = uniqueEmail('new')
    const fresh = ok(await client().signUp({ email: free, password: newPassword }))
    assert.deepEqual(Object.keys(again.user), Object.keys(fresh.user))
    assert.equal(again.user.identities.length, fresh.user.identities.length)
    assert.match((await lettersTo(email, 2, other.mail))[1], /already/i)
    for (const one of [email, free]) {
      refused(await client().signInWithPassword({ email: one, password: newPassword }), 400, 'email_not_confirmed')
    }
    ok(await client().signInWithPassword({ email, password }))
  })

  test('of two sign-ups the password of the last one is confirmed', async () => {
    const email = uniqueEmail('ada')
    ok(await client().signUp({ email, password: newPassword }))
    ok(await client().signUp({ email, password }))
    await open((await lettersTo(email, 2, other.mail))[1], other.url).follow()
    refused(await client().signInWithPassword({ email, password: newPassword }), 400, 'invalid_credentials')
    ok(await client().signInWithPassword({ email, password }))
  })
})
