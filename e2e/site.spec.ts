import { expect, expectAccessibleAtBothSizes, hydrated, open, openRendered, rendered, test } from './fixtures/test'

const routes = {
  '/': /courses for creators and performers/,
  '/trending': /^Trending Now · Greenroom$/,
  '/search': /^Search courses · Greenroom$/,
  '/auth': /^Sign in · Greenroom$/,
  '/auth/reset-password': /^Set a new password · Greenroom$/,
  '/recommendations': /^Recommend a New Course · Greenroom$/,
  '/help-center': /^Help Center · Greenroom$/,
  '/contact': /^Contact · Greenroom$/,
  '/investor-relations': /^Investor Relations · Greenroom$/,
  '/sponsorships': /^Corporate Sponsorships · Greenroom$/,
  '/privacy-policy': /^Privacy Policy · Greenroom$/,
  '/terms-and-conditions': /^Terms and Conditions · Greenroom$/,
}

/** Pages that send a stranger on their way as soon as the app runs. */
const turnsAway = new Set(['/auth/reset-password', '/recommendations'])

/** Their heading is their title. */
const forms = new Set(['/help-center', '/contact', '/investor-relations', '/sponsorships'])

for (const [path, title] of Object.entries(routes)) {
  test(`${path} comes rendered, is taken over as it is, and axe finds nothing at either size`, async ({ page }) => {
    if (turnsAway.has(path)) {
      await rendered(page, path)
      await page.goto(path)
      await hydrated(page)
      return
    }
    expect(await openRendered(page, path)).toBe(200)
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('main')).toBeVisible()
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveCount(1)
    await expect(heading).toBeVisible()
    if (forms.has(path)) await expect(page).toHaveTitle(`${await heading.textContent()} · Greenroom`)
    await expectAccessibleAtBothSizes(page)
  })
}

test('the home page comes rendered from the rows of either database @both', async ({ page, course }) => {
  const { title } = await course()
  expect(await openRendered(page, '/')).toBe(200)
  await expect(page.getByRole('main').getByText(title).first()).toBeVisible()
})

test('a course page comes rendered and is taken over as it is @both', async ({ page, course }) => {
  const { id, title } = await course()
  expect(await openRendered(page, `/course/${id}`)).toBe(200)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page).toHaveTitle(`${title} · Greenroom`)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`/course/${id}$`))
  const schema = JSON.parse((await page.locator('script[type="application/ld+json"]').first().textContent()) ?? '')
  expect(JSON.stringify(schema)).toContain(JSON.stringify(title))
  await expectAccessibleAtBothSizes(page)
})

test('the script comes when the picture that the page opens with is there', async ({ page }) => {
  await rendered(page, '/')
  await page.route('**/art/workshop-*', async (route) => {
    await page.waitForTimeout(300)
    await route.continue()
  })
  await open(page)
  const { picture, script } = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const first = (part: string) => files.find(({ name }) => name.includes(part))
    return { picture: first('/art/workshop-')?.responseEnd, script: first('.js')?.startTime }
  })
  expect(script).toBeGreaterThan(picture ?? Number.NaN)
})

test('the script comes although the picture does not', async ({ page }) => {
  await rendered(page, '/')
  await page.route('**/art/workshop-*', () => {})
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  await hydrated(page)
})

test('the page of one person is a frame that search engines leave alone', async ({ page, request }) => {
  for (const path of ['/my-list', '/waitlist', '/account', '/settings', '/admin', '/teach']) {
    const sent = await (await request.get(path)).text()
    expect(sent).toContain('<div id="root"></div>')
    expect(sent).toContain('<meta name="robots" content="noindex">')
  }
  await page.goto('/my-list')
  await expect(page).toHaveURL('/auth')
})

test('an unknown route says so and logs its path @both', async ({ page, watch }) => {
  watch.allow(/status of 404/)
  watch.allow(/\/no\/such\/page/)
  expect(await openRendered(page, '/no/such/page?a=1')).toBe(404)
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Suggestions' }).getByRole('article')).toHaveCount(3)
  await expect.poll(() => watch.lines.filter((line) => line.includes('/no/such/page')).length).toBeGreaterThan(0)
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('main').getByRole('link', { name: /home/i }).click()
  await expect(page).toHaveURL('/')
})

for (const id of ['not-a-uuid', '00000000-0000-4000-8000-000000000000']) {
  test(`an unknown course (${id}) answers 404 with the app's page`, async ({ page, watch }) => {
    watch.allow(/status of 404/)
    expect(await openRendered(page, `/course/${id}`)).toBe(404)
    await expect(page.getByText('Course not found')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL('/')
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the home page can be read', async ({ page, course }) => {
    const { id, title } = await course()
    await rendered(page, '/')
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Trending Now' })).toBeVisible()
    await expect(page.locator(`a[href="/course/${id}"]`).first()).toBeVisible()
    await expect(page.getByText(title).first()).toBeVisible()
  })

  test('a course page can be read', async ({ page, course }) => {
    const { id, title, instructor, description } = await course()
    await rendered(page, `/course/${id}`)
    await page.goto(`/course/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText(instructor).first()).toBeVisible()
    await expect(page.getByText(description).first()).toBeVisible()
  })
})

test('every page begins at the same left edge', async ({ page, signIn }) => {
  await signIn()
  for (const path of [
    '/trending',
    '/search',
    '/contact',
    '/investor-relations',
    '/privacy-policy',
    '/account',
    '/settings',
    '/waitlist',
  ]) {
    await open(page, path)
    const [logo, title] = await Promise.all([
      page.getByRole('link', { name: 'Greenroom, home' }).boundingBox(),
      page.getByRole('heading', { level: 1 }).boundingBox(),
    ])
    expect(title?.x, path).toBe(logo?.x)
  }
})
