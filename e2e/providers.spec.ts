import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { startOpenID } from './fixtures/oidc'
import { startServer } from './fixtures/server'
import { expect, expectAccessible, expectToast, hydrated, still, test } from './fixtures/test'

/** At the provider: says who it is, or no. */
async function answer(page: Page, address: string, button = 'Allow') {
  await expect(page.getByRole('heading', { name: 'Acme' })).toBeVisible()
  await page.getByLabel('Address').fill(address)
  await page.getByRole('button', { name: button }).click()
}

test('people come in through an OpenID provider, and connect it with their account', async ({
  page,
  context,
  signIn,
  database,
  watch,
}) => {
  test.slow()
  watch.allow(/status of 4\d\d/)
  const acme = await startOpenID()
  const server = await startServer(database, acme.settings)
  acme.serve(server.url)
  const stored = () => page.evaluate(() => localStorage.getItem('sb-greenroom-auth-token') ?? '')
  const enter = async () => {
    // The provider knows its people by a cookie; without it, it asks.
    await context.clearCookies()
    await page.goto(`${server.url}/auth`)
    await hydrated(page)
    await page.getByRole('link', { name: 'Continue with Acme' }).click()
  }
  try {
    await test.step('refused there, and not trusted here', async () => {
      await enter()
      await answer(page, '', 'Refuse')
      await expect(page.getByRole('alert').filter({ hasText: 'The provider did not let you in.' })).toBeVisible()
      await expect(page).toHaveURL(`${server.url}/auth`)
      await still(page)
      await expectAccessible(page)
      await enter()
      await answer(page, `unverified-${randomUUID()}@example.com`)
      await expect(page.getByRole('alert').filter({ hasText: 'is not verified there yet' })).toBeVisible()
      expect(await stored()).toBe('')
    })

    await test.step('a new account', async () => {
      const address = `${randomUUID()}@example.com`
      await page.goto(`${server.url}/my-list`)
      await expect(page, 'the page that was wanted').toHaveURL(`${server.url}/auth`)
      await context.clearCookies()
      await hydrated(page)
      await page.getByRole('link', { name: 'Continue with Acme' }).click()
      await answer(page, address)
      await expect(page).toHaveURL(`${server.url}/my-list`)
      await expectToast(page, 'Welcome back!')
      expect(await stored()).toContain(address)
      await page.goto(`${server.url}/settings`)
      const connected = page.getByRole('region', { name: 'Connected accounts' })
      await expect(connected.getByRole('listitem')).toHaveCount(1)
      await expect(connected.getByText(address)).toBeVisible()
      await expect(connected.getByRole('button'), 'it is the only way in').toHaveCount(0)
    })

    await test.step('an account that exists is connected, and disconnected', async () => {
      await page.evaluate(() => localStorage.clear())
      await signIn({ on: server })
      await page.goto(`${server.url}/settings`)
      const connected = page.getByRole('region', { name: 'Connected accounts' })
      await expect(connected.getByText('Not connected')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible()
      await context.clearCookies()
      await connected.getByRole('button', { name: 'Connect Acme' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Continue without confirming' }).click()
      await answer(page, '', 'Refuse')
      await expect(page.getByText('The provider did not let you in.')).toBeVisible()
      await expect(page, 'still signed in').toHaveURL(`${server.url}/settings`)
      const other = `${randomUUID()}@example.org`
      await context.clearCookies()
      await connected.getByRole('button', { name: 'Connect Acme' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Continue without confirming' }).click()
      await answer(page, other)
      await expectToast(page, 'Acme connected')
      await expect(page).toHaveURL(`${server.url}/settings`)
      await expect(connected.getByText(other)).toBeVisible()
      await still(page)
      await expectAccessible(page)
      await expect(
        page.getByRole('region', { name: 'Devices' }).getByRole('listitem'),
        'the session before is over',
      ).toHaveCount(1)
      await connected.getByRole('button', { name: 'Disconnect Acme' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
      await expectToast(page, 'Acme disconnected')
      await expect(connected.getByText('Not connected')).toBeVisible()
    })
  } finally {
    await page.goto('about:blank')
    await server.stop()
    acme.close()
  }
})
