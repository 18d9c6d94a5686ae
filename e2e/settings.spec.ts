import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, hydrated, open, type Person, still, test } from './fixtures/test'

const refused = /status of 4\d\d/
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile/15E148 Safari/604.1'
const desk = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('a person sees their devices and ends them @both', async ({ page, signIn, server, watch }) => {
  watch.allow(refused)
  const who = await signIn()
  const elsewhere = (agent: string) => signInElsewhere(server, who, agent)
  const [mobile, work] = [await elsewhere(phone), await elsewhere(desk)]
  await elsewhere(desk)
  const isIn = async (token: string) => {
    const headers = { apikey: server.apiKey, Authorization: `Bearer ${token}` }
    return (await page.request.get('/auth/v1/user', { headers })).ok()
  }
  await page.goto('/settings')
  const devices = page.getByRole('region', { name: 'Devices' })
  const rows = devices.getByRole('listitem')
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('This device')
  await expect(rows.first().getByRole('button'), 'one logs out on the account').toHaveCount(0)
  await expect(devices.getByText('127.0.0.1').first()).toBeVisible()
  await devices.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
  await expectToast(page, 'Safari on iPhone was signed out')
  await expect(rows).toHaveCount(3)
  await expect(devices.getByRole('heading')).toBeFocused()
  expect([await isIn(mobile), await isIn(work)]).toEqual([false, true])
  await devices.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await expectToast(page, 'Signed out everywhere else')
  await expect(rows).toHaveCount(1)
  expect(await isIn(work)).toBe(false)
  await page.reload()
  await expect(rows, 'this one stays').toHaveCount(1)
})

test('a person says what they are called', async ({ page, signIn }) => {
  await signIn()
  await open(page, '/settings')
  const form = page.getByRole('form', { name: 'Your name' })
  await form.getByLabel('Name').fill('  Zoë Łuczak ')
  await form.getByRole('button', { name: 'Save Name' }).click()
  await expectToast(page, 'Name saved')
  await page.reload()
  await expect(form.getByLabel('Name')).toHaveValue('Zoë Łuczak')
})

test('a person takes their data along and deletes their account', async ({ page, signIn, course, server, watch }) => {
  test.slow()
  watch.allow(refused)
  const who = await signIn()
  const saved = await course()
  const headers = { apikey: server.apiKey, Authorization: `Bearer ${who.token}` }
  await page.request.post('/rest/v1/saved_courses', { headers, data: { user_id: who.id, course_id: saved.id } })
  await page.goto('/settings')
  await hydrated(page)

  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const download = await file
  expect(download.suggestedFilename()).toBe('greenroom-my-data.json')
  const data = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(data.account.email).toBe(who.email)
  expect(data.saved_courses).toMatchObject([{ course_id: saved.id }])
  await expectToast(page, 'Your data was downloaded')

  const open = page.getByRole('button', { name: 'Delete my account' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expect(dialog.getByLabel('Password')).toBeFocused()
  await expectClean(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(open).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Password').fill(who.password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Type the word DELETE')).toBeVisible()
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE')
  await dialog.getByLabel('Password').fill('not my password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('That is not your password.')).toBeVisible()
  await expectClean(page)
  await dialog.getByLabel('Password').fill(who.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Goodbye' })).toBeFocused()
  await expectClean(page)
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain('@')
  await page.getByRole('link', { name: 'Browse Courses' }).click()
  await expect(page).toHaveURL('/')
  expect((await page.request.get('/auth/v1/user', { headers })).status()).toBe(403)
})

async function signInElsewhere(server: { url: string; apiKey: string }, who: Person, agent: string): Promise<string> {
  const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: server.apiKey, 'Content-Type': 'application/json', 'User-Agent': agent },
    body: JSON.stringify({ email: who.email, password: who.password }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** What has stopped moving is accessible. */
async function expectClean(page: Page) {
  await still(page)
  await expectAccessible(page)
}
