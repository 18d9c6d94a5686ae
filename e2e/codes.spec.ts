import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { lettersIn } from './fixtures/letters'
import { startServer } from './fixtures/server'
import {
  expect,
  expectAccessible,
  expectAccessibleAtBothSizes,
  expectToast,
  hydrated,
  open,
  type Person,
  still,
  test,
} from './fixtures/test'
import { authenticator } from './fixtures/totp'

const refused = /status of 4\d\d/
const factors = (page: Page) => page.getByRole('region', { name: 'Two-step verification' })

async function enter(page: Page, who: Person) {
  await page.evaluate(() => localStorage.clear())
  await open(page, '/auth')
  await page.getByLabel('Email', { exact: true }).fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** What has stopped moving is accessible at both sizes; under a dialog the page keeps the room of its scroll bar. */
async function expectClean(page: Page) {
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size)
    await still(page)
    await expectAccessible(page)
  }
}

/** Puts an authenticator app on the account, in the settings. */
async function addApp(page: Page) {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await page.getByRole('button', { name: 'Continue without confirming' }).click()
  await expect(page.getByRole('dialog', { name: 'Authenticator app' }).getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  const secret = (await page.locator('code').textContent()) ?? ''
  await page.getByRole('textbox', { name: 'Code' }).fill(await authenticator(secret.replaceAll(' ', ''))())
  await page.keyboard.press('Enter')
  await expect(page.getByText('Authenticator app, added')).toBeVisible()
}

test('recovery codes are made, kept and used for want of the phone @both', async ({
  page,
  context,
  signIn,
  letterTo,
  watch,
}) => {
  test.setTimeout(300_000)
  watch.allow(refused)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const who = await signIn()
  await page.goto('/settings')
  await expect(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible()
  await expect(factors(page).getByText('Recovery codes')).toHaveCount(0)
  await addApp(page)
  let codes: string[] = []

  await test.step('ten, shown once', async () => {
    await page.getByRole('button', { name: 'Get recovery codes' }).click()
    const sheet = page.getByRole('dialog', { name: 'Your recovery codes' })
    await expect(sheet.getByRole('listitem')).toHaveCount(10)
    // A mouse that rests on a toast keeps it there, over the buttons of a phone's sheet.
    await page.mouse.move(0, 0)
    codes = await sheet.getByRole('listitem').allTextContents()
    expect(codes[0]).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    await sheet.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${codes.join('\n')}\n`)
    const file = page.waitForEvent('download')
    await sheet.getByRole('button', { name: 'Download' }).click()
    const download = await file
    expect(download.suggestedFilename()).toBe('greenroom-recovery-codes.txt')
    expect(await readFile(await download.path(), 'utf8')).toContain(codes.join('\n'))
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('.print-sheet li')).toHaveText(codes)
    await expect(page.locator('#root'), 'they are printed alone').toBeHidden()
    await page.emulateMedia({ media: 'screen' })
    await page.keyboard.press('Escape')
    await expect(sheet.getByRole('alert')).toContainText('You won’t see these codes again.')
    await expectClean(page)
    await sheet.getByRole('button', { name: 'I saved them' }).press('Enter')
    await expect(sheet).toHaveCount(0)
    await expect(factors(page).getByText('10 of 10 left. Each works once.')).toBeVisible()
    await expect(page.locator('body')).not.toContainText(codes[0] ?? '-')
  })

  await test.step('one for the second step', async () => {
    await enter(page, who)
    await page.getByRole('button', { name: 'Use a recovery code' }).press('Enter')
    const field = page.getByLabel('Recovery code')
    await expect(field).toBeFocused()
    await field.fill('too short')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('16 letters and digits')
    await field.fill('0000-0000-0000-0000')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('That code is incorrect, or you have used it before.')
    await expect(field).toBeFocused()
    await expectAccessibleAtBothSizes(page)
    await field.fill(` ${codes[3]?.toUpperCase().replaceAll('-', ' ')}`)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/')
    await expectToast(page, 'Welcome back!')
    expect((await letterTo(who.email, 2)).subject).toBe('A recovery code was used')
    await enter(page, who)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[3] ?? '')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert'), 'each works once').toBeVisible()
    await page.getByLabel('Recovery code').fill(codes[4] ?? '')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/')
  })

  await test.step('anew, and away', async () => {
    await page.goto('/settings')
    await expect(factors(page).getByText('8 of 10 left. Each works once.')).toBeVisible()
    await page.getByRole('button', { name: 'Make new codes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click()
    const sheet = page.getByRole('dialog', { name: 'Your recovery codes' })
    await expect(sheet.getByRole('listitem')).toHaveCount(10)
    expect(await sheet.getByRole('listitem').allTextContents()).not.toContain(codes[0])
    await sheet.getByRole('button', { name: 'I saved them' }).click()
    await expect(factors(page).getByText('10 of 10 left. Each works once.')).toBeVisible()
    await page.getByRole('button', { name: 'Remove recovery codes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expectToast(page, 'Recovery codes removed')
  })
})

test('a mailed code signs in who has an account, and nobody else @both', async ({ page, database, signIn, watch }) => {
  test.slow()
  watch.allow(refused)
  const server = await startServer(database, { GREENROOM_EMAIL_SIGN_IN: 'on' })
  const letters = async (email: string) =>
    (await lettersIn(join(server.data, 'mail'), email)).filter(({ text }) => text.includes('/auth/v1/verify'))
  const ask = async (email: string) => {
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')
  }
  const code = page.getByLabel('Code from your email')
  try {
    const who = await signIn({ on: server })
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${server.url}/my-list`)
    await expect(page).toHaveURL(`${server.url}/auth`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await expect(page.getByText('Invalid email address')).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused()

    await ask('nobody@example.com')
    await expect(page.getByText('If nobody@example.com has an account, we sent it a code.')).toBeVisible()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('nobody@example.com')

    await ask(who.email)
    await expect(code).toBeFocused()
    await expect(page.getByRole('button', { name: /Send a new code in \d+ second/ })).toBeDisabled()
    await expectAccessibleAtBothSizes(page)
    await code.fill('12345')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Enter the 6-digit code from the email')
    await expect.poll(async () => (await letters(who.email)).length).toBe(1)
    const [letter] = await letters(who.email)
    const right = /\b\d{6}\b/.exec(letter?.text ?? '')?.[0] ?? ''
    await code.fill(right === '000000' ? '111111' : '000000')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('That code is wrong or has expired. Check the latest email.')
    await expect(code).toBeFocused()
    await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`)
    await page.keyboard.press('Enter')
    await expect(page, 'the page that was wanted').toHaveURL(`${server.url}/my-list`)
    await expectToast(page, 'Welcome back!')
    expect(await letters('nobody@example.com'), 'nobody gets an account by it').toEqual([])

    // The link in the letter does the same.
    await page.evaluate(() => localStorage.clear())
    await open(page, `${server.url}/auth`)
    await ask(who.email)
    await expect.poll(async () => (await letters(who.email)).length).toBe(2)
    const link = (await letters(who.email)).at(-1)?.links.find((one) => one.includes('/auth/v1/verify')) ?? ''
    await page.goto(link)
    await expect(page).toHaveURL(`${server.url}/`)
    await expectToast(page, 'Welcome back!')
  } finally {
    await page.goto('about:blank')
    await server.stop()
  }
})
