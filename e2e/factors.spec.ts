import type { Page } from '@playwright/test'
import { startServer } from './fixtures/server'
import { expect, expectAccessible, expectToast, hydrated, type Person, still, test } from './fixtures/test'
import { authenticator } from './fixtures/totp'

const refused = /status of 4\d\d/
const code = (page: Page) => page.getByRole('textbox', { name: 'Code' })
const wrongCode = 'That code is incorrect. Try the next one your app shows.'

async function enter(page: Page, who: Person, site = '') {
  await page.goto(`${site}/auth`)
  await hydrated(page)
  await page.getByLabel('Email', { exact: true }).fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** What has stopped moving is accessible; on a phone, where the least room is. */
async function expectClean(page: Page) {
  const desk = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await still(page)
  await expectAccessible(page)
  if (desk) await page.setViewportSize(desk)
}

const mailedCode = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? ''

/** Settings asks for a proof of the address first; it can wait. */
async function goOnUnproven(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'First, confirm your email' })
  await dialog.getByRole('button', { name: 'Continue without confirming' }).click()
  await expect(dialog).toHaveCount(0)
}

/** What the auth client tells the other tabs of this browser. */
async function hearEvents(page: Page): Promise<() => Promise<string[]>> {
  const heard = await page.evaluateHandle(() => {
    const events: string[] = []
    new BroadcastChannel('sb-greenroom-auth-token').onmessage = ({ data }) => events.push(data.event)
    return events
  })
  return () => heard.jsonValue()
}

test('an authenticator app is set up, asked for after the password, and taken away', async ({
  page,
  context,
  signIn,
  letterTo,
  watch,
}) => {
  test.slow()
  watch.allow(refused)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const who = await signIn()
  let nextCode = async () => ''

  await test.step('set up in the settings', async () => {
    await page.goto('/settings')
    await expect(page.getByText('Two-step verification is off')).toBeVisible()
    await expectClean(page)
    const events = await hearEvents(page)
    const add = page.getByRole('button', { name: 'Add an authenticator app' })
    await expect(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible()
    await add.click()
    // Whoever signed up may not own the address: it is proven first, so that a reset takes no second step away.
    const first = page.getByRole('dialog', { name: 'First, confirm your email' })
    await first.getByRole('button', { name: 'Email me a code' }).click()
    await expect(first.getByLabel('Code from your email')).toBeFocused()
    await expectClean(page)
    await first.getByLabel('Code from your email').fill(mailedCode((await letterTo(who.email)).text))
    await first.getByLabel('Password', { exact: true }).fill(who.password)
    await page.keyboard.press('Enter')
    await expectToast(page, 'Your email is confirmed')
    const dialog = page.getByRole('dialog', { name: 'Authenticator app' })
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await dialog.getByLabel('Name').fill('Pixel 8')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
    await expectClean(page)
    // Whoever closes the dialog here gives the name back.
    await page.keyboard.press('Escape')
    await expect(add).toBeFocused()
    await add.click()
    await dialog.getByLabel('Name').fill('Pixel 8')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Copy the key' }).click()
    await expectToast(page, 'Key copied!')
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    nextCode = authenticator(secret)
    await code(page).fill('000000')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText(wrongCode)).toBeVisible()
    await expect(code(page)).toBeFocused()
    await code(page).fill(await nextCode())
    await page.keyboard.press('Enter')
    await expect(page.getByText('Pixel 8 was added to your account')).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Authenticator app, added')).toBeVisible()
    expect(await events()).toContain('MFA_CHALLENGE_VERIFIED')
    expect((await letterTo(who.email, 1)).text).toContain('Pixel 8')
  })

  await test.step('asked for after the password', async () => {
    await page.goto('/account')
    await page.getByRole('button', { name: 'Log out' }).click()
    await enter(page, who)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step')
    await expect(code(page)).toBeFocused()
    await expect(page.getByText('Welcome back!')).toHaveCount(0)
    // What is the learner's own opens after the password alone; what guards the account does not.
    await page.goto('/my-list')
    await expect(page.getByRole('heading', { level: 1, name: 'My List' })).toBeVisible()
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Change password' })).toHaveCount(0)
    await expectClean(page)
    await page.goto('/auth')
    await code(page).fill('12345')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByText('Enter the 6-digit code from your app.')).toBeVisible()
    await code(page).fill('000000')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByText(wrongCode)).toBeVisible()
    await expectClean(page)
    const events = await hearEvents(page)
    const fresh = await nextCode()
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${fresh.slice(0, 3)} ${fresh.slice(3)}`)
    await code(page).press('ControlOrMeta+V')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/')
    await expectToast(page, 'Welcome back!')
    expect(await events()).toContain('MFA_CHALLENGE_VERIFIED')
  })

  await test.step('taken away', async () => {
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Remove Pixel 8' }).click()
    const question = page.getByRole('alertdialog', { name: 'Remove Pixel 8?' })
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await question.getByRole('button', { name: 'Remove' }).click()
    await expectToast(page, 'Verification method removed')
    await expect(page.getByText('Two-step verification is off')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeFocused()
    await expect(page.getByLabel('New password')).toBeVisible()
    await page.evaluate(() => localStorage.clear())
    await enter(page, who)
    await expect(page, 'the password alone').toHaveURL('/')
  })
})

test('a mailed link alone sets no new password where there is a second step', async ({
  page,
  signIn,
  letterTo,
  server,
  watch,
}) => {
  test.slow()
  watch.allow(refused)
  const who = await signIn()
  const ask = async (path: string, data: object) => {
    const headers = { apikey: server.apiKey, Authorization: `Bearer ${who.token}` }
    return (await page.request.post(`/${path}`, { headers, data })).json()
  }
  await page.request.get('/auth/v1/reauthenticate', {
    headers: { apikey: server.apiKey, Authorization: `Bearer ${who.token}` },
  })
  const letter = mailedCode((await letterTo(who.email)).text)
  expect(await ask('functions/v1/prove-address', { code: letter, password: who.password })).toMatchObject({
    proven: true,
  })
  const factor = await ask('auth/v1/factors', { factor_type: 'totp', friendly_name: 'Tablet' })
  const next = authenticator(factor.totp.secret)
  const { id } = await ask(`auth/v1/factors/${factor.id}/challenge`, {})
  await ask(`auth/v1/factors/${factor.id}/verify`, { challenge_id: id, code: await next() })

  await page.evaluate(() => localStorage.clear())
  await page.goto('/auth')
  await hydrated(page)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email', { exact: true }).fill(who.email)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  const link = (await letterTo(who.email, 2)).links.find((one) => one.includes('/auth/v1/verify')) ?? ''
  await page.goto(link)
  await expect(page).toHaveURL('/auth/reset-password')
  await expect(code(page)).toBeFocused()
  await expect(page.getByLabel('New password')).toHaveCount(0)
  await expectClean(page)
  await code(page).fill(await next())
  await page.getByRole('button', { name: 'Continue' }).click()
  const fresh = `red velvet ${who.id}`
  await page.getByLabel('New password').fill(fresh)
  await page.getByLabel('Confirm password').fill(fresh)
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page.getByText('Password updated successfully! You can now sign in.')).toBeVisible()
  await enter(page, { ...who, password: fresh })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
})

test('a security key is added and answers after the password, beside an app', async ({
  page,
  context,
  signIn,
  database,
  watch,
}) => {
  test.slow()
  watch.allow(refused)
  const server = await startServer(database, {}, 'localhost')
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'usb', hasUserVerification: true, isUserVerified: true },
  })
  try {
    const who = await signIn({ on: server })
    await page.goto(`${server.url}/settings`)
    await expect(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible()
    await page.getByRole('button', { name: 'Add a security key' }).click()
    await goOnUnproven(page)
    const dialog = page.getByRole('dialog', { name: 'Security key' })
    await dialog.getByLabel('Name').fill('Blue key')
    await expectClean(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Blue key was added to your account')).toBeVisible()
    await expect(page.getByText('Security key, added')).toBeVisible()
    const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toHaveLength(1)

    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    await goOnUnproven(page)
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Enter')
    const secret = (await page.locator('code').textContent()) ?? ''
    await code(page).fill(await authenticator(secret.replaceAll(' ', ''))())
    await page.keyboard.press('Enter')
    await expect(page.getByText('Authenticator app, added')).toBeVisible()

    await page.evaluate(() => localStorage.clear())
    await enter(page, who, server.url)
    await expect(code(page), 'the one that was asked for last').toBeFocused()
    await page.getByRole('button', { name: 'Blue key' }).click()
    await expect(page.getByText('Your browser will ask for “Blue key” next.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeFocused()
    await expectClean(page)
    const events = await hearEvents(page)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${server.url}/`)
    await expectToast(page, 'Welcome back!')
    expect(await events()).toContain('MFA_CHALLENGE_VERIFIED')
  } finally {
    await page.goto('about:blank')
    await server.stop()
  }
})
