import type { Page } from '@playwright/test'
import { adminOf, call, importCourses } from './fixtures/rest'
import { expect, expectAccessible, holdScript, open, rendered, test } from './fixtures/test'

const box = (page: Page) => page.getByRole('main').getByPlaceholder('Search courses...')
const status = (page: Page) => page.getByRole('main').getByRole('status')
const found = (page: Page) => page.getByRole('list', { name: 'Courses' }).getByRole('heading', { level: 2 })

test('the text filters live, in title, instructor, category and description, whatever its case @both', async ({
  page,
  course,
}) => {
  const { title, instructor, description } = await course('The Self-Tape Lab')
  await open(page, '/search')
  await expect(status(page)).toHaveText('28 courses found')
  await box(page).pressSequentially('sELF-tape')
  await expect(status(page)).toHaveText(/^\d+ courses? found$/)
  await expect(found(page).filter({ hasText: title })).toBeVisible()
  const part = description.slice(10, 40).toUpperCase()
  for (const [text, count] of [
    [instructor.toUpperCase(), 1],
    [part, 1],
    ['ACTING & perf', 7],
  ] as const) {
    await box(page).fill(text)
    await expect(status(page)).toHaveText(count === 1 ? '1 course found' : `${count} courses found`)
    await expect(found(page)).toHaveCount(count)
    await expect(found(page).filter({ hasText: title })).toBeVisible()
  }
})

test.describe('before the app is there', () => {
  test('what is typed is found when it comes', async ({ page }) => {
    const come = await holdScript(page)
    await rendered(page, '/search')
    await page.goto('/search', { waitUntil: 'commit' })
    await box(page).fill('self-tape')
    come()
    await expect(page).toHaveURL('/search?q=self-tape')
    await expect(found(page)).toHaveCount(1)
    await expect(box(page)).toHaveValue('self-tape')
  })

  test('a blank search does nothing', async ({ page }) => {
    await holdScript(page)
    await rendered(page, '/')
    await page.goto('/', { waitUntil: 'commit' })
    const anyBox = page.getByPlaceholder('Search courses...').last()
    await anyBox.fill('   ')
    await anyBox.press('Enter')
    // One that leads somewhere follows at once, so that there is something to wait for.
    await anyBox.fill('self-tape')
    await anyBox.press('Enter')
    await expect(page).toHaveURL('/search?q=self-tape')
    await page.goBack()
    await expect(page, 'no page between').toHaveURL('/')
  })

  test('what is sent is found without it', async ({ page }) => {
    await holdScript(page)
    for (const path of ['/', '/search']) {
      await rendered(page, path)
      await page.goto(path, { waitUntil: 'commit' })
      const anyBox = page.getByPlaceholder('Search courses...').last()
      await anyBox.fill('self-tape')
      await anyBox.press('Enter')
      await expect(page).toHaveURL('/search?q=self-tape')
      await expect(found(page)).toHaveCount(1)
    }
  })
})

test('the text is mirrored in q, and q goes when the text is empty', async ({ page }) => {
  await open(page, '/search')
  await box(page).fill('voice & 100%')
  await expect(page).toHaveURL('/search?q=voice%20%26%20100%25')
  await box(page).fill('')
  await expect(page).toHaveURL('/search')
  await expect(status(page)).toHaveText('28 courses found')
  await box(page).fill('   ')
  await expect(page).toHaveURL('/search')
  await open(page, '/search?q=voice%20acting')
  await expect(box(page)).toHaveValue('voice acting')
  await expect(status(page)).toHaveText('1 course found')
})

test('a text and a category narrow each other, and both are shown @both', async ({ page }) => {
  await open(page, '/search?q=film')
  const lit = page.getByRole('navigation', { name: 'Categories' }).locator('[aria-current]')
  await expect(lit).toHaveText('All')
  const every = Number.parseInt((await status(page).textContent()) ?? '', 10)
  await page.getByRole('link', { name: 'Content Creation', exact: true }).click()
  await expect(lit).toHaveText('Content Creation')
  await expect(box(page)).toHaveValue('film')
  await expect(found(page)).not.toHaveCount(every)
  expect(await found(page).count()).toBeGreaterThan(0)
  await expect(page.getByRole('list', { name: 'Courses' }).getByText('Content Creation')).toHaveCount(
    await found(page).count(),
  )
  await page.reload()
  await expect(lit).toHaveText('Content Creation')
  await box(page).fill('zzz')
  await expect(status(page)).toHaveText('No courses found for "zzz"')
  await page.getByRole('link', { name: 'Search all categories' }).click()
  await expect(lit).toHaveText('All')
  await expectAccessible(page)
})

test('what is nearly right leads to what was meant', async ({ page }) => {
  for (const [text, near] of [
    ['cinematografy', 'cinematography'],
    ['acting and performance', 'acting & performance'],
  ] as const) {
    await open(page, `/search?q=${encodeURIComponent(text)}`)
    await page.getByRole('link', { name: near, exact: true }).click()
    await expect(box(page)).toHaveValue(near)
    await expect(found(page).first()).toBeVisible()
  }
})

test('what nothing matches says No courses found for "{query}"', async ({ page }) => {
  await open(page, '/search?q=zzz')
  await expect(status(page)).toHaveText('No courses found for "zzz"')
  await expectAccessible(page)
  const text = `<b>"it's"</b>`
  await box(page).fill(text)
  await expect(status(page)).toHaveText(`No courses found for "${text}"`)
  await expect(found(page)).toHaveCount(0)
})

test('a search that fails says so and can be tried again', async ({ page, watch }) => {
  watch.allow(/status of 400/)
  await open(page, '/search')
  const reads = '**/rest/v1/courses?*ilike*'
  await page.route(reads, (route) =>
    route.fulfill({ status: 400, json: { code: 'PGRST100', message: 'no', details: null, hint: null } }),
  )
  await box(page).fill('voice')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Search isn’t responding')
  await page.unroute(reads)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(found(page).first()).toBeVisible()
})

test('quotes, commas, percent signs, backslashes and stars in a text find the course that has them', async ({
  page,
  ownServer,
}) => {
  const titles = ['Say "Cut!", (twice)', 'Grow by 40% a year', 'Paths \\ Forks_and', 'Five *Stars* Only', 'Plain']
  await importCourses(
    ownServer,
    titles.map((title) => ({ title })),
  )
  await open(page, `${ownServer.url}/search`)
  await expect(status(page)).toHaveText('33 courses found')
  for (const [text, title] of [
    ['"cut!", (', titles[0]],
    ['40%', titles[1]],
    ['\\ forks_', titles[2]],
    ['*stars*', titles[3]],
    ['*', titles[3]],
  ] as const) {
    await box(page).fill(text)
    await expect(status(page)).toHaveText('1 course found')
    await expect(found(page)).toHaveText([title ?? ''])
  }
  for (const text of ['4%a', 'p_ain', 'p*n', '"cut!" (']) {
    await box(page).fill(text)
    await expect(status(page)).toHaveText(`No courses found for "${text}"`)
  }
})

test('results are paged in as one scrolls @both', async ({ page, ownServer }) => {
  const many = Array.from({ length: 60 }, (_, number) => ({
    title: `Backstage ${String(number + 1).padStart(2, '0')}`,
  }))
  await importCourses(ownServer, many)
  await open(page, `${ownServer.url}/search?q=backstage`)
  await expect(status(page)).toHaveText('60 courses found')
  expect(await found(page).count(), 'a first page').toBeLessThan(60)
  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    await expect(found(page)).toHaveCount(60, { timeout: 500 })
  }).toPass()
  expect(new Set(await found(page).allTextContents())).toEqual(new Set(many.map(({ title }) => title)))
})

test("an empty catalogue says 'No courses available'", async ({ page, ownServer }) => {
  await call(ownServer, 'DELETE', 'courses?rating=gte.0', { token: await adminOf(ownServer) })
  await open(page, `${ownServer.url}/search`)
  await expect(status(page)).toHaveText('No courses available')
  await open(page, `${ownServer.url}/`)
  await expect(page.getByRole('tabpanel').getByRole('region')).toHaveCount(0)
})
