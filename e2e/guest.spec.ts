import { randomUUID } from 'node:crypto'
import { type Server, startServer } from './fixtures/server'
import { test as base, expect, expectAccessibleAtBothSizes, expectToast, hydrated, open } from './fixtures/test'

const test = base.extend<object, { welcoming: Server }>({
  welcoming: [
    async ({ database }, use) => {
      const server = await startServer(database, { GREENROOM_ANONYMOUS: 'on' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const failed = 'The courses you saved as a guest could not be moved.'

test('a guest keeps a list, and it goes along when they sign up @both', async ({ page, welcoming, watch }) => {
  test.slow()
  watch.allow(/status of 4\d\d|503/)
  const at = (path: string) => `${welcoming.url}${path}`
  const who = { email: `${randomUUID()}@example.com`, password: `velvet curtain ${randomUUID()}` }

  await test.step('comes in, saves a course and sees settings that fit', async () => {
    await page.goto(at('/my-list'))
    await expect(page).toHaveURL(at('/auth'))
    await hydrated(page)
    await page.getByRole('button', { name: 'Continue as a guest' }).click()
    await expect(page, 'the page that was wanted').toHaveURL(at('/my-list'))
    await page
      .getByRole('button', { name: /^Save .* to My List$/ })
      .first()
      .click()
    await expectToast(page, 'Added to My List')
    await open(page, at('/settings'))
    await expect(page.getByRole('heading', { name: 'You’re browsing as a guest' })).toBeVisible()
    await expect(page.getByText('Create an account to keep your list.')).toBeVisible()
    for (const name of ['Change password', 'Two-step verification', 'Connected accounts'])
      await expect(page.getByRole('heading', { name })).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Devices' }).getByRole('listitem')).toHaveCount(1)
    await expectAccessibleAtBothSizes(page)
    await open(page, at('/account'))
    await expect(page.getByText('Guest', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('Your list will be gone')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expectAccessibleAtBothSizes(page)
  })

  await test.step('is a stranger to a waitlist', async () => {
    await open(page, at('/trending'))
    await page
      .getByRole('button', { name: /^Join Waitlist/ })
      .first()
      .click()
    await expectToast(page, 'Please log in to join the waitlist')
    await expect(page).toHaveURL(at('/auth'))
  })

  await test.step('signs up and in; what failed goes at the next start', async () => {
    await open(page, at('/settings'))
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account')
    await page.getByLabel('Email', { exact: true }).fill(who.email)
    await page.getByLabel('Password').fill(who.password)
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
    await expectToast(page, 'Account created! You can now sign in.')
    await page.route('**/functions/v1/adopt-guest', (route) =>
      route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Too busy' } }),
    )
    await page.getByLabel('Password').fill(who.password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page).toHaveURL(at('/my-list'))
    await expect(page.getByText(failed, { exact: false })).toBeVisible()
    await expect(page.getByText("You haven't saved any courses yet")).toBeVisible()
    await page.unroute('**/functions/v1/adopt-guest')
    await page.reload()
    await expectToast(page, 'The courses you saved as a guest are in My List')
    await expect(page.getByLabel('Saved courses').first()).toBeVisible()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.reload()
    await expect(page.getByLabel('Saved courses').first()).toBeVisible()
    expect(
      asked.filter((url) => url.includes('adopt-guest')),
      'once',
    ).toEqual([])
  })
})
