import { randomUUID } from 'node:crypto'
import { call } from './fixtures/rest'
import { expect, expectAccessible, expectAccessibleAtBothSizes, open, test } from './fixtures/test'

const refused = /status of 4\d\d/

test('the account shows whose it is, and logging out leaves nothing behind (security 39) @both', async ({
  page,
  signIn,
  server,
}) => {
  const { email, id, token } = await signIn()
  await page.goto('/account')
  const main = page.getByRole('main')
  await expect(main.getByText(email)).toBeVisible()
  await expect(main.getByText(id)).toBeVisible()
  await expect(main.getByRole('link', { name: 'Settings' })).toBeVisible()
  await expect(main.getByText('Admin Account')).toHaveCount(0)
  await expect(main.getByRole('link', { name: 'Admin Panel' })).toHaveCount(0)
  await page.evaluate((text) => sessionStorage.setItem('greenroom.draft.help', JSON.stringify(text)), email)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Logged out successfully')).toBeVisible()
  const left = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(left).not.toMatch(/token|@|draft|wanted/)
  const answer = await page.request.get('/auth/v1/user', {
    headers: { apikey: server.apiKey, Authorization: `Bearer ${token}` },
  })
  expect(answer.status()).toBe(403)
})

test('the account shows what its owner keeps', async ({ page, signIn, server, course }) => {
  const { id, token, email } = await signIn()
  await open(page, '/account')
  const shelf = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(shelf('My List')).toContainText('Nothing saved yet')
  await expect(shelf('Waitlist')).toContainText('not waiting')
  const found = await course('Documentary Filmmaking')
  await call(server, 'POST', 'saved_courses', { token, body: { user_id: id, course_id: found.id } })
  await call(server, 'POST', 'course_waitlist', { token, body: { user_id: id, course_title: found.title, email } })
  await open(page, '/account')
  for (const name of ['My List', 'Waitlist']) {
    await expect(shelf(name).getByRole('link', { name: `${name} 1 course` })).toBeVisible()
    await expect(shelf(name).getByRole('link', { name: found.title })).toHaveAttribute('href', `/course/${found.id}`)
  }
})

test('logging out works without the server too', async ({ page, signIn, watch, context }) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await signIn()
  await page.goto('/account')
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Back to account' }).click()
  await page.route('**/auth/v1/logout**', (route) => route.abort('internetdisconnected'))
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Logged out successfully')).toBeVisible()
  expect(await context.storageState()).toMatchObject({ origins: [] })
})

test('an admin sees the badge and the way to the panel', async ({ page, signIn }) => {
  await signIn({ admin: true })
  await page.goto('/account')
  await expect(page.getByText('Admin Account')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Admin Panel' }).click()
  await expect(page).toHaveURL('/admin')
})

test('a stranger is sent to sign-in', async ({ page }) => {
  for (const path of ['/account', '/settings']) {
    await page.goto(path)
    await expect(page).toHaveURL('/auth')
  }
})

test('a password is changed in the settings', async ({ page, signIn, request, server, watch }) => {
  watch.allow(refused)
  const { email, password } = await signIn()
  const fresh = `red velvet ${randomUUID()}`
  await page.goto('/settings')
  const first = page.getByLabel('New password')
  const second = page.getByLabel('Confirm password')
  const update = page.getByRole('button', { name: 'Update Password' })
  await first.fill('short')
  await second.fill('other')
  await update.click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expect(page.getByText('Password must be at least 10 characters', { exact: true })).toBeVisible()
  await first.fill(password)
  await second.fill(password)
  await update.click()
  await expect(page.getByRole('alert').filter({ hasText: /different/ }), 'the same password').toBeVisible()
  await first.fill(fresh)
  await second.fill(fresh)
  await update.click()
  await expect(page.getByText('Password updated successfully')).toBeVisible()
  await expect(first).toHaveValue('')
  const enter = async (secret: string) => {
    const answer = await request.post('/auth/v1/token?grant_type=password', {
      headers: { apikey: server.apiKey },
      data: { email, password: secret },
    })
    return answer.status()
  }
  expect(await enter(password)).toBe(400)
  expect(await enter(fresh)).toBe(200)
  await page.getByRole('link', { name: 'Back to account' }).click()
  await expect(page).toHaveURL('/account')
})

test('an old session is asked for the mailed code', async ({ page, signIn, letterTo, watch }) => {
  watch.allow(refused)
  const { email } = await signIn()
  // What a session of yesterday is answered; everything after it is the server's own.
  await page.route('**/auth/v1/user', async (route) => {
    if (route.request().method() !== 'PUT' || 'nonce' in route.request().postDataJSON()) return route.continue()
    await route.fulfill({
      status: 400,
      headers: { 'X-Supabase-Api-Version': '2024-01-01' },
      json: { code: 'reauthentication_needed', message: 'Password update requires reauthentication' },
    })
  })
  await page.goto('/settings')
  const fresh = `red velvet ${randomUUID()}`
  await expect(page.getByLabel('Code from your email')).toHaveCount(0)
  await page.getByLabel('New password').fill(fresh)
  await page.getByLabel('Confirm password').fill(fresh)
  await page.getByRole('button', { name: 'Update Password' }).click()
  const code = page.getByLabel('Code from your email')
  await expect(code).toBeFocused()
  await expectAccessible(page)
  await code.fill('000000')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page.getByText('That code is wrong or has expired. Check the latest email.')).toBeVisible()
  await code.fill(/\b\d{6}\b/.exec((await letterTo(email)).text)?.[0] ?? '')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page.getByText('Password updated successfully')).toBeVisible()
  await expect(code).toHaveCount(0)
})

test('axe finds nothing on the account and its settings', async ({ page, signIn }) => {
  test.slow()
  await signIn({ admin: true })
  await page.goto('/account')
  await expect(page.getByText('Admin Account')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByLabel('New password')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page.getByText('Password must be at least 10 characters', { exact: true })).toBeVisible()
  await expectAccessibleAtBothSizes(page)
})
