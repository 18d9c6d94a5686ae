import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { lettersIn } from './fixtures/letters'
import { startServer } from './fixtures/server'
import { expect, expectAccessibleAtBothSizes, holdScript, hydrated, open, rendered, test } from './fixtures/test'

const refused = /status of 4\d\d/
const sessionKey = 'sb-greenroom-auth-token'
const wrong = 'Invalid email or password. Please try again.'
const badLink = 'Invalid or expired reset link. Please request a new one.'

const someone = () => ({ email: `${randomUUID()}@example.com`, password: `velvet curtain ${randomUUID()}` })
type Someone = ReturnType<typeof someone>

const stored = (page: Page) => page.evaluate((key) => localStorage.getItem(key), sessionKey)
const email = (page: Page) => page.getByLabel('Email', { exact: true })
const password = (page: Page) => page.getByLabel('Password')

async function send(page: Page, button: string, who: Someone) {
  await email(page).fill(who.email)
  await password(page).fill(who.password)
  await page.getByRole('button', { name: button, exact: true }).click()
}

const signInAs = (page: Page, who: Someone) => send(page, 'Sign In', who)

async function signUpAs(page: Page, who: Someone) {
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await send(page, 'Sign Up', who)
  await expect(page.getByText('Account created! You can now sign in.')).toBeVisible()
}

async function askForLink(page: Page, address: string) {
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await email(page).fill(address)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  await expect(page.getByText('Password reset email sent! Please check your inbox.')).toBeVisible()
}

const verifyLink = (links: string[]) => links.find((link) => link.includes('/auth/v1/verify')) ?? ''

test('signing up signs nobody in, and then the visitor signs in @both', async ({ page }) => {
  const who = someone()
  await open(page, '/auth')
  await signUpAs(page, who)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await expect(email(page)).toHaveValue(who.email)
  await expect(password(page)).toHaveValue('')
  await expect(password(page)).toBeFocused()
  expect(await stored(page)).toBeNull()
  await password(page).fill(who.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Welcome back!')).toBeVisible()
  expect(await stored(page)).toContain(who.email)
  await page.goto('/auth')
  await expect(page, 'who is signed in has nothing to do there').toHaveURL('/')
})

test('the session of a sign-up is ended on the server', async ({ page, server }) => {
  await open(page, '/auth')
  const [answer] = await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('/auth/v1/signup')),
    signUpAs(page, someone()),
  ])
  const { access_token } = (await answer.json()) as { access_token: string }
  const asked = await page.request.get('/auth/v1/user', {
    headers: { apikey: server.apiKey, Authorization: `Bearer ${access_token}` },
  })
  expect(asked.status()).toBe(403)
})

test('a registered address is sent to sign-in', async ({ page, watch }) => {
  watch.allow(refused)
  const who = someone()
  await open(page, '/auth')
  await signUpAs(page, who)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await send(page, 'Sign Up', who)
  await expect(page.getByText('This email is already registered. Please sign in instead.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
})

test('a wrong password and an unknown address are answered alike', async ({ page, signIn, watch }) => {
  watch.allow(refused)
  const { email: known } = await signIn()
  await page.evaluate(() => localStorage.clear())
  await open(page, '/auth')
  for (const address of [known, someone().email]) {
    await signInAs(page, { email: address, password: 'not this password' })
    await expect(page.getByText(wrong)).toBeVisible()
    await expect(page.getByText(wrong)).toHaveCount(0)
  }
  await expect(page).toHaveURL('/auth')
})

test('a password that many people have is refused at its field', async ({ page, watch }) => {
  watch.allow(refused)
  await open(page, '/auth')
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await send(page, 'Sign Up', { ...someone(), password: 'qwertyuiop' })
  await expect(page.getByRole('alert').filter({ hasText: /guess|weak/i })).toBeVisible()
  await expect(password(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(password(page)).toBeFocused()
})

test('a forgotten password is replaced through the mail, once @both', async ({
  page,
  signIn,
  letterTo,
  server,
  watch,
}) => {
  test.slow()
  watch.allow(refused)
  const who = await signIn()
  const elsewhere = { apikey: server.apiKey, Authorization: `Bearer ${who.token}` }
  await page.evaluate(() => localStorage.clear())
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await open(page, '/auth')
  await askForLink(page, who.email)
  const link = verifyLink((await letterTo(who.email)).links)

  await page.goto(link)
  await expect(page).toHaveURL('/auth/reset-password')
  await expect(page.getByText('Password must be at least 10 characters long')).toBeVisible()
  const fresh = page.getByLabel('New password')
  const confirm = page.getByLabel('Confirm password')
  await fresh.fill('short')
  await expect(page.getByText('Password must be at least 10 characters', { exact: true })).toBeVisible()
  await fresh.fill('a much better one')
  await expect(page.getByText('Password must be at least 10 characters', { exact: true })).toHaveCount(0)
  await confirm.fill('a much better')
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await confirm.fill('a much better one')
  await expect(page.getByText('Passwords do not match')).toHaveCount(0)
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Password updated successfully! You can now sign in.')).toBeVisible()
  await expect(page.getByText(badLink)).toHaveCount(0)
  expect(await stored(page)).toBeNull()
  const old = await page.request.get('/auth/v1/user', { headers: elsewhere })
  expect(old.status(), 'other sessions end').toBe(403)

  await signInAs(page, who)
  await expect(page.getByText(wrong)).toBeVisible()
  await signInAs(page, { email: who.email, password: 'a much better one' })
  await expect(page).toHaveURL('/')
  expect(
    requests.filter((url) => url.includes('access_token=')),
    'no token in a request',
  ).toEqual([])

  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText(badLink)).toBeVisible()
  await page.getByRole('button', { name: 'Get a new link' }).click()
  await expect(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible()
})

test('the token of a link stays neither in the address nor in the history (security 38)', async ({
  page,
  signIn,
  letterTo,
}) => {
  const who = await signIn()
  await page.evaluate(() => localStorage.clear())
  await open(page, '/auth')
  await askForLink(page, who.email)
  await page.goto(verifyLink((await letterTo(who.email)).links))
  await expect(page.getByLabel('New password')).toBeVisible()
  expect(page.url()).toMatch(/\/auth\/reset-password$/)
  await page.goBack()
  await expect(page).not.toHaveURL(/access_token/)
  await page.goForward()
  await expect(page).toHaveURL('/auth/reset-password')
  await expect(page.getByLabel('New password'), 'the session is the one of the link still').toBeVisible()
})

test('a password cannot be reset without a link', async ({ page, signIn }) => {
  await page.goto('/auth/reset-password')
  await expect(page.getByText(badLink)).toBeVisible()
  await expect(page).toHaveURL('/auth')
  await signIn()
  await page.goto('/auth/reset-password')
  await expect(page.getByText(badLink)).toBeVisible()
  await expect(page, 'signed in by password: sent on from /auth').toHaveURL('/')
})

test('what an address says went wrong is shown wherever it lands', async ({ page }) => {
  const fragment = '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired'
  const words = 'Email link is invalid or has expired'
  await open(page, `/auth${fragment}`)
  await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
  await expect(page).toHaveURL('/auth')
  await open(page, `/auth/reset-password${fragment}`)
  await expect(page.getByText(badLink)).toBeVisible()
  await expect(page.getByText(words)).toBeVisible()
  await expect(page).toHaveURL('/auth')
  await open(page, `/trending${fragment}`)
  await expect(page.getByText(words)).toBeVisible()
  await expect(page).toHaveURL('/trending')
  await open(page, '/auth?error=invalid_request&error_code=bad_oauth_state&error_description=OAuth+state+is+missing')
  await expect(page.getByRole('alert').filter({ hasText: 'begun in another browser' })).toBeVisible()
  await expect(page).toHaveURL('/auth')
  await open(page, '/?error=invalid_request&error_code=bad_oauth_state&error_description=OAuth+state+is+missing')
  await expect(page.getByText('begun in another browser')).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('what is typed before the app has started stays', async ({ page, signIn }) => {
  const who = await signIn()
  await page.evaluate(() => localStorage.clear())
  const start = await holdScript(page)
  await rendered(page, '/auth')
  await page.goto('/auth', { waitUntil: 'commit' })
  await email(page).fill(who.email)
  await password(page).fill(who.password)
  await expect(page.getByRole('button', { name: 'Sign In' }), 'nothing would hear it yet').toBeDisabled()
  start()
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
})

test('a gated page brings its visitor back', async ({ page }) => {
  const who = someone()
  await page.goto('/my-list')
  await expect(page).toHaveURL('/auth')
  await hydrated(page)
  await signUpAs(page, who)
  await signInAs(page, who)
  await expect(page).toHaveURL('/my-list')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/auth')
  await signInAs(page, who)
  await expect(page, 'who left starts at the beginning').toHaveURL('/')
})

test('signing in and out is heard in the other tabs', async ({ page, context }) => {
  const who = someone()
  const other = await context.newPage()
  await open(page, '/auth')
  await open(other, '/trending')
  await signUpAs(page, who)
  await signInAs(page, who)
  await expect(page).toHaveURL('/')
  await other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My List' }).click()
  await expect(other).toHaveURL('/my-list')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(other).toHaveURL('/auth')
})

test('everything can be done with the keyboard', async ({ page }) => {
  const who = someone()
  await open(page, '/auth')
  await email(page).focus()
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate((text) => document.activeElement?.textContent === text, name)) return
    }
    throw new Error(`${name} is not reached`)
  }
  await tabTo('Forgot password?')
  await page.keyboard.press('Enter')
  await expect(email(page)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(email(page)).toBeFocused()
  await tabTo('Sign up')
  await page.keyboard.press('Enter')
  await expect(email(page)).toBeFocused()
  await page.keyboard.type(who.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(who.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Account created! You can now sign in.')).toBeVisible()
  await expect(password(page)).toBeFocused()
  await page.keyboard.type(who.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
})

test('with confirmation by mail an account begins with its letter', async ({ browser }) => {
  const server = await startServer('sqlite', { GREENROOM_CONFIRM_EMAIL: 'true' })
  const page = await browser.newPage({ baseURL: server.url })
  try {
    const who = someone()
    await open(page, '/auth')
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await send(page, 'Sign Up', who)
    await expect(page.getByText('Account created! Please check your inbox to confirm your email.')).toBeVisible()
    await signInAs(page, who)
    await expect(page.getByText('Email not confirmed')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send it again' })).toBeVisible()
    const letters = () => lettersIn(join(server.data, 'mail'), who.email)
    await expect.poll(async () => (await letters()).length).toBeGreaterThan(0)
    await page.goto(verifyLink((await letters()).flatMap((letter) => letter.links)))
    await expect(page).toHaveURL(`${server.url}/`)
    await expect.poll(() => stored(page)).toContain(who.email)
    await expect(page.getByText('Your email is confirmed')).toBeVisible()
  } finally {
    await page.close()
    await server.stop()
  }
})

test('a limit says what to do', async ({ browser }) => {
  const server = await startServer('sqlite', { GREENROOM_RATE_LIMITS: 'on' })
  const page = await browser.newPage({ baseURL: server.url })
  try {
    await open(page, '/auth')
    const { email: address } = someone()
    await askForLink(page, address)
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await expect(page.getByText(/you can only request this after \d+ seconds/)).toBeVisible()
    await expect(page.getByText(/Try again in/)).toHaveCount(0) // it would say the same once more
  } finally {
    await page.close()
    await server.stop()
  }
})

test('axe finds nothing in any state of /auth', async ({ page, watch }) => {
  test.slow()
  watch.allow(refused)
  await open(page, '/auth')
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await askForLink(page, someone().email)
  await expectAccessibleAtBothSizes(page)
  await page.goto('about:blank')
  await open(page, '/auth#error=access_denied&error_description=Email+link+is+invalid+or+has+expired')
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
})

test('axe finds nothing on the reset page', async ({ page, signIn, letterTo }) => {
  test.slow()
  const who = await signIn()
  await page.evaluate(() => localStorage.clear())
  await open(page, '/auth')
  await askForLink(page, who.email)
  await page.goto(verifyLink((await letterTo(who.email)).links))
  await expect(page.getByLabel('New password')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await page.getByLabel('New password').fill('short')
  await page.getByLabel('Confirm password').fill('other')
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
})
