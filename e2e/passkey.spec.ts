import type { CDPSession, Locator, Page } from '@playwright/test'
import { type Server, startServer } from './fixtures/server'
import {
  test as base,
  expect,
  expectAccessible,
  expectAccessibleAtBothSizes,
  expectToast,
  open,
  type Person,
  still,
} from './fixtures/test'

/** Passkeys want a site with a name. */
const test = base.extend<{ device: Device }, { named: Server }>({
  named: [
    async ({ database }, use) => {
      const server = await startServer(database, {}, 'localhost')
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  device: async ({ context, page }, use) => {
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: false,
      },
    })
    await use(new Device(cdp, authenticatorId))
    await page.goto('about:blank')
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await cdp.detach()
  },
})

/** A phone or laptop that keeps passkeys, and whose owner touches it or does not. */
class Device {
  constructor(
    private readonly cdp: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  /** Whether the owner is there to answer; what was asked while they were not stays unanswered. */
  async touched(enabled: boolean) {
    await this.cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: this.authenticatorId, enabled })
  }

  /** Whether it knows its owner by finger or face. */
  async knowsOwner(isUserVerified: boolean) {
    await this.cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.authenticatorId, isUserVerified })
  }

  async passkeys(): Promise<number> {
    const { credentials } = await this.cdp.send('WebAuthn.getCredentials', { authenticatorId: this.authenticatorId })
    return credentials.length
  }
}

const refused = /status of 4\d\d/
const offered = 'Next time without a password?'
const byPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

async function signInByPassword(page: Page, site: Server, who: Person) {
  await open(page, `${site.url}/auth`)
  await page.getByLabel('Email', { exact: true }).fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

const leave = (page: Page) => page.evaluate(() => localStorage.removeItem('sb-greenroom-auth-token'))

/** Adds a passkey in the settings, as somebody who has an account. */
async function withPasskey(page: Page, site: Server, device: Device) {
  await open(page, `${site.url}/settings`)
  await device.touched(true)
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(section(page).getByRole('listitem')).toHaveCount(1)
  await device.touched(false)
}

/** On a phone the offer waits until its reader scrolls. */
const comesUp = (page: Page, offer: Locator) =>
  expect(async () => {
    await page.evaluate(() => scrollBy(0, 1))
    await expect(offer).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 60_000 })

test('after a password a passkey is offered once, beside the page @both', async ({ page, named, device, signIn }) => {
  test.slow()
  const who = await signIn({ on: named })
  await leave(page)
  await signInByPassword(page, named, who)
  await expect(page).toHaveURL(`${named.url}/`)
  const offer = page.getByRole('region', { name: 'Passkey' })
  await comesUp(page, offer.getByText(offered))
  expect(await page.evaluate(() => document.activeElement?.closest('section[aria-label=Passkey]') === null)).toBe(true)
  await still(page)
  await expectAccessible(page)
  // At the end of the page it covers nothing.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const [footer, card] = [await page.locator('footer').boundingBox(), await offer.boundingBox()]
  expect((card?.y ?? 0) + 1).toBeGreaterThan((footer?.y ?? 0) + (footer?.height ?? 0))
  await offer.getByRole('button', { name: 'Not now' }).press('Enter')
  await expect(offer).toHaveCount(0)
  await expect(page.locator('#content')).toBeFocused()

  await leave(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/v1/passkeys')) asked.push(request.url())
  })
  await signInByPassword(page, named, who)
  await expect(page).toHaveURL(`${named.url}/`)
  await still(page)
  expect(asked, 'it is not even looked up').toEqual([])
  await expect(page.getByText(offered)).toHaveCount(0)

  // Somebody else on the same device is asked, and agrees.
  await page.evaluate(() => localStorage.removeItem('sb-greenroom-auth-token'))
  const other = await signIn({ on: named })
  await leave(page)
  await signInByPassword(page, named, other)
  await comesUp(page, offer)
  await device.touched(true)
  await offer.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('was added', { exact: false })).toBeVisible()
  await expect(offer).toHaveCount(0)
  expect(await device.passkeys()).toBe(1)
})

test('a passkey signs in by a press and by what the email field offers @both', async ({
  page,
  named,
  device,
  signIn,
}) => {
  test.slow()
  const { email } = await signIn({ on: named })
  await withPasskey(page, named, device)
  await leave(page)

  const question = page.waitForResponse((answer) => answer.url().endsWith('/passkeys/authentication/options'))
  await page.goto(`${named.url}/my-list`)
  await expect(page, 'the page that was wanted').toHaveURL(`${named.url}/auth`)
  await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('autocomplete', 'username webauthn')
  await expect(byPasskey(page)).toBeEnabled()
  await expectAccessibleAtBothSizes(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  // The question behind the email field is called off first: a browser answers one at a time.
  await question
  await device.touched(true)
  await byPasskey(page).press('Enter')
  await expect(page).toHaveURL(`${named.url}/my-list`)
  await expectToast(page, 'Welcome back!')
  expect(await page.evaluate(() => localStorage.getItem('sb-greenroom-auth-token'))).toContain(email)
  expect(asked.filter((url) => /token=|credential/.test(url))).toEqual([])
  await open(page, `${named.url}/settings`)
  await expect(section(page).getByText('Last used just now')).toBeVisible()

  // The field's own offer waits until one is chosen: the device of this test chooses at once.
  await leave(page)
  await page.goto(`${named.url}/auth`)
  await expect(page).toHaveURL(`${named.url}/`)
  await expectToast(page, 'Welcome back!')
})

test('who does not answer sees nothing bad, and a passkey that is gone is told', async ({
  page,
  named,
  device,
  signIn,
  watch,
}) => {
  watch.allow(refused)
  const who = await signIn({ on: named })
  await withPasskey(page, named, device)
  await leave(page)
  await device.knowsOwner(false)
  await open(page, `${named.url}/auth`)
  await device.touched(true)
  await byPasskey(page).click()
  await expect(byPasskey(page)).toBeEnabled()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await device.touched(false)
  await device.knowsOwner(true)

  const headers = { apikey: named.apiKey, Authorization: `Bearer ${who.token}` }
  const [passkey] = (await (await page.request.get(`${named.url}/auth/v1/passkeys`, { headers })).json()) as {
    id: string
  }[]
  await page.request.delete(`${named.url}/auth/v1/passkeys/${passkey?.id}`, { headers })
  await device.touched(true)
  await byPasskey(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'That passkey doesn’t open an account here. It may have been removed.',
  )
  await device.touched(false)
  await expect(page).toHaveURL(`${named.url}/auth`)
  await expectAccessibleAtBothSizes(page)
})

test('passkeys are listed, renamed and removed in the settings @both', async ({
  page,
  named,
  device,
  signIn,
  watch,
}) => {
  test.slow()
  watch.allow(refused)
  await signIn({ on: named })
  await page.goto(`${named.url}/settings`)
  await expect(section(page).getByText('You have no passkeys yet.')).toBeVisible()
  await withPasskey(page, named, device)
  const row = section(page).getByRole('listitem')
  await expect(row).toContainText('Not used yet')
  await expectToast(page, 'Chrome on Windows was added')
  // A second one of the same device is none.
  await device.touched(true)
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(section(page).getByRole('alert')).toHaveText('This device already has a passkey for your account.')
  await device.touched(false)

  const rename = row.getByRole('button', { name: 'Rename Chrome on Windows' })
  await rename.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill(' ')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter a name')).toBeVisible()
  await dialog.getByLabel('Name').fill('My laptop')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Passkey renamed')
  await expect(row).toContainText('My laptop')
  await expect(row).toContainText('Chrome on Windows')
  await still(page)
  await expectAccessibleAtBothSizes(page)

  // Who signed in long ago shows again who they are.
  let asked = 0
  await page.route('**/auth/v1/passkeys/*', (route) =>
    route.request().method() === 'DELETE' && asked++ === 0
      ? route.fulfill({
          status: 400,
          headers: { 'X-Supabase-Api-Version': '2024-01-01' },
          json: { code: 'reauthentication_needed', message: 'Please confirm that it is you' },
        })
      : route.continue(),
  )
  await page.route('**/auth/v1/user', (route) =>
    route.continue(route.request().method() === 'PUT' ? { method: 'GET', postData: '' } : {}),
  )
  await row.getByRole('button', { name: 'Remove My laptop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  const check = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await check.getByLabel('Password', { exact: true }).fill('whatever it is')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Passkey removed')
  await expect(section(page).getByText('You have no passkeys yet.')).toBeVisible()
  await expect(section(page).getByRole('heading')).toBeFocused()
  expect(asked).toBe(2)

  await page.route('**/auth/v1/passkeys', (route) =>
    route.fulfill({ status: 400, json: { code: 'validation_failed', message: 'no' } }),
  )
  await page.reload()
  await expect(section(page).getByText('Your passkeys could not be loaded')).toBeVisible()
  await page.unroute('**/auth/v1/passkeys')
  await section(page).getByRole('button', { name: 'Try again' }).click()
  await expect(section(page).getByText('You have no passkeys yet.')).toBeVisible()
})
