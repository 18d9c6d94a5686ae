import type { Locator, Page } from '@playwright/test'
import { adminOf, call, importCourses, rows } from './fixtures/rest'
import { expect, expectToast, hold, holdScript, hydrated, open, rendered, test } from './fixtures/test'

type Listed = { title: string; rating: number }

const order = 'order=rating.desc,created_at.desc,id.asc&limit=6'

const categories = [
  'Creator Economy',
  'Acting & Performance',
  'AI Tools',
  'Content Creation',
  'Business & Networking',
  'Marketing & Growth',
]

const row = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const titles = (page: Page, name: string) => row(page, name).getByRole('heading', { level: 3 }).allTextContents()

async function ratingsIn(place: Locator): Promise<number[]> {
  const cards = await place.getByRole('article').allTextContents()
  return cards.map((text) => Number(/Rated (\d\.\d)/.exec(text)?.[1]))
}

test('the strip offers All and the six categories, and the address names the chosen one @both', async ({ page }) => {
  await open(page)
  const strip = page.getByRole('tablist', { name: 'Categories' })
  expect(await strip.getByRole('tab').allTextContents()).toEqual(['All', ...categories])
  await expect(strip.getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true')
  await strip.getByRole('tab', { name: 'Business & Networking' }).click()
  await expect(page).toHaveURL('/?category=Business%20%26%20Networking')
  await expect(row(page, 'Business & Networking')).toBeVisible()
  for (const other of ['Trending Now', 'Coming Soon', 'AI Tools']) await expect(row(page, other)).toHaveCount(0)
  await strip.getByRole('tab', { name: 'All' }).click()
  await expect(page).toHaveURL('/')
  await expect(row(page, 'Coming Soon')).toBeVisible()
})

test("a desktop's first screen shows the strip and the tops of the first row's cards", async ({ page }) => {
  await open(page)
  await expect(page.getByRole('tablist', { name: 'Categories' })).toBeInViewport({ ratio: 1 })
  for (const card of (await row(page, 'Trending Now').getByRole('article').all()).slice(0, 3)) {
    const box = await card.boundingBox()
    expect(900 - (box?.y ?? 900), 'pixels of a card in view').toBeGreaterThan(80)
  }
})

test('an address can link to a category, and an unknown one shows all', async ({ page }) => {
  await open(page, '/?category=AI%20Tools')
  await expect(page.getByRole('tab', { name: 'AI Tools' })).toHaveAttribute('aria-selected', 'true')
  await expect(row(page, 'AI Tools')).toBeVisible()
  await expect(row(page, 'Trending Now')).toHaveCount(0)
  await open(page, '/?category=Plumbing')
  await expect(page.getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true')
  await expect(row(page, 'Trending Now')).toBeVisible()
})

test('rows hold at most 6, the best rated first: Trending Now from 4.8, Coming Soon by flag; the wheel scrolls', async ({
  page,
  server,
}) => {
  const filter = `category=eq.${encodeURIComponent('Acting & Performance')}`
  const best = await rows<Listed>(server, `courses?select=title&${filter}&${order}`)
  expect(await rows(server, `courses?select=id&${filter}`)).toHaveLength(7)
  const trending = await rows<Listed>(server, `courses?select=title,rating&rating=gte.4.8&${order}`)
  const popular = await rows<Listed>(server, 'courses?select=title,rating&rating=gte.4.8')
  expect(popular.length, 'more than fit').toBeGreaterThan(6)
  await open(page)
  expect(await titles(page, 'Trending Now')).toEqual(trending.map(({ title }) => title))
  const ratings = await ratingsIn(row(page, 'Trending Now'))
  expect(ratings).toHaveLength(6)
  expect(Math.min(...ratings)).toBeGreaterThanOrEqual(4.8)
  expect((await titles(page, 'Coming Soon')).sort()).toEqual([
    'Cinematography Masterclass',
    'Documentary Filmmaking',
    'Music Production with AI',
    'Screenwriting for Streaming',
  ])
  expect(await titles(page, 'Acting & Performance')).toEqual(best.map(({ title }) => title))
  const shelf = row(page, 'Trending Now')
  await shelf.getByRole('article').first().hover()
  await page.mouse.wheel(250, 0)
  const list = shelf.getByRole('list').last()
  await expect.poll(() => list.evaluate((element) => element.scrollLeft)).toBeGreaterThan(200)
})

test('the heading of a category leads to all of its courses', async ({ page, server }) => {
  const all = await rows<Listed>(
    server,
    `courses?select=title&category=eq.${encodeURIComponent('Acting & Performance')}&${order.replace('limit=6', 'limit=24')}`,
  )
  await open(page)
  await row(page, 'Acting & Performance')
    .getByRole('link', { name: `Acting & Performance See all ${all.length}`, exact: true })
    .click()
  await expect(page).toHaveURL('/search?category=Acting%20%26%20Performance')
  await expect(page.getByRole('heading', { level: 1, name: 'Acting & Performance' })).toBeVisible()
  await expect(page.getByRole('status').first()).toHaveText(`${all.length} courses found`)
  await expect(page.getByRole('list', { name: 'Courses' }).getByRole('heading', { level: 2 })).toHaveText(
    all.map(({ title }) => title),
  )
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'AI Tools' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'AI Tools' })).toBeVisible()
})

test('Join Waitlist is as high as a finger needs on every card, and no slab', async ({ page }) => {
  await open(page, '/trending')
  const buttons = page.getByRole('button', { name: /^Join Waitlist/ })
  const looks = await buttons.evaluateAll((all) =>
    all.map((button) => ({
      height: button.getBoundingClientRect().height,
      ground: getComputedStyle(button).backgroundColor,
      isSeen: getComputedStyle(button).opacity === '1',
    })),
  )
  expect(looks).toHaveLength(12)
  for (const { height, ground, isSeen } of looks) {
    expect(height).toBeGreaterThanOrEqual(44)
    expect(ground).toBe('rgba(0, 0, 0, 0)')
    expect(isSeen).toBe(true)
  }
})

test('a row without courses is hidden', async ({ page, ownServer }) => {
  const token = await adminOf(ownServer)
  await call(ownServer, 'DELETE', 'courses?coming_soon=is.true', { token })
  await call(ownServer, 'DELETE', `courses?category=eq.${encodeURIComponent('Business & Networking')}`, { token })
  await open(page, `${ownServer.url}/`)
  await expect(row(page, 'Trending Now')).toBeVisible()
  await expect(row(page, 'Marketing & Growth')).toBeVisible()
  await expect(row(page, 'Coming Soon')).toHaveCount(0)
  await expect(row(page, 'Business & Networking')).toHaveCount(0)
})

test('an arrow scrolls its row by 400 px a click', async ({ page }) => {
  await open(page)
  const trending = row(page, 'Trending Now')
  const list = trending.getByRole('list').last()
  const left = () => list.evaluate((element) => Math.round(element.scrollLeft))
  await trending.hover()
  const on = trending.getByRole('button', { name: 'Next in Trending Now' })
  const back = trending.getByRole('button', { name: 'Previous in Trending Now' })
  await expect(back).toBeDisabled()
  await on.click()
  await expect.poll(left).toBe(400)
  // A row of a desktop ends with the second click, one of a phone later.
  await expect(async () => {
    if (await on.isEnabled()) await on.click({ timeout: 1000 })
    await expect(on).toBeDisabled({ timeout: 1000 })
  }).toPass()
  const end = await list.evaluate((element) => element.scrollWidth - element.clientWidth)
  await expect.poll(left).toBe(end)
  await back.click()
  await expect.poll(left).toBe(end - 400)
})

test('quick clicks on an arrow add up', async ({ browser, baseURL }) => {
  // With movement, or there is nothing under way to add to.
  const page = await browser.newPage({
    baseURL: baseURL ?? '',
    reducedMotion: 'no-preference',
    viewport: { width: 900, height: 900 },
  })
  try {
    await open(page)
    const trending = page.getByRole('region', { name: 'Trending Now' })
    const list = trending.getByRole('list').last()
    await trending.hover()
    await trending.getByRole('button', { name: 'Next in Trending Now' }).evaluate((button: HTMLButtonElement) => {
      button.click()
      setTimeout(() => button.click(), 50)
    })
    await expect.poll(() => list.evaluate((element) => Math.round(element.scrollLeft))).toBe(800)
  } finally {
    await page.close()
  }
})

test('who comes back finds the page and its rows where they left them', async ({ page }) => {
  await open(page)
  const come = await hold(page, '**/assets/course-*.js')
  const shelf = row(page, 'Acting & Performance')
  const list = shelf.getByRole('list').last()
  const left = () => list.evaluate((element) => Math.round(element.scrollLeft))
  const top = () => page.evaluate(() => Math.round(scrollY))
  await shelf.hover()
  await shelf.getByRole('button', { name: 'Next in Acting & Performance' }).click()
  await expect.poll(left).toBe(400)
  const before = await top()
  await shelf.getByRole('article').nth(3).getByRole('heading').click()
  await expect(page).toHaveURL(/\/course\//)
  // The page that stays until the next one has come can still be scrolled.
  await page.evaluate(() => scrollBy(0, 60))
  await expect.poll(top).toBe(before + 60)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  come()
  await expect(page.getByText('More in this category')).toBeAttached()
  await page.goBack()
  await expect(shelf).toBeVisible()
  await expect.poll(top).toBe(before + 60)
  expect(await left()).toBe(400)
})

test('a row that a narrow window shows has its heading in one line, and arrows for a mouse', async ({ page }) => {
  await page.setViewportSize({ width: 400, height: 800 })
  await open(page)
  for (const name of categories) {
    const heading = row(page, name).getByRole('link', { name: /See all/ })
    await heading.scrollIntoViewIfNeeded()
    expect((await heading.boundingBox())?.height, name).toBeLessThanOrEqual(44)
  }
  const shelf = row(page, 'AI Tools')
  await shelf.hover()
  await shelf.getByRole('button', { name: 'Next in AI Tools' }).click()
  const left = () =>
    shelf
      .getByRole('list')
      .last()
      .evaluate((element) => Math.round(element.scrollLeft))
  await expect.poll(left).toBe(400)
})

test('a picture of the whole page shows the artwork of every row', async ({ page }) => {
  await open(page)
  const rows = page.getByRole('tabpanel').getByRole('region')
  await expect(rows).toHaveCount(8)
  // Nobody scrolls: what waits below the screen comes when the page has nothing else to do.
  const drawn = () =>
    rows.evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll('img')].every(
          (image) => image.complete && image.naturalWidth > 0 && image.checkVisibility({ contentVisibilityAuto: true }),
        ),
      ),
    )
  await expect.poll(drawn, { timeout: 30_000 }).toEqual(Array(8).fill(true))
  const box = await rows.last().boundingBox()
  const whole = await page.screenshot({ fullPage: true })
  expect(whole.length, 'far more than black').toBeGreaterThan(700_000)
  expect(box?.height).toBeGreaterThan(250)
})

test('what is shown stays when it cannot be renewed', async ({ page, watch }) => {
  watch.allow(/Failed to load resource|status of 5\d\d/)
  await open(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.route('**/rest/v1/**', (route) => route.abort())
  // Asked for again by its page whenever that opens: the workshop.
  await page.getByRole('link', { name: 'Privacy Policy' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('What you see may be out of date.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('heading', { level: 1, name: /Workshop/ })).toBeVisible()
  await expect(page.getByRole('article')).not.toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unroute('**/rest/v1/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('What you see may be out of date.')).toBeHidden()
})

test('a coming-soon card counts down to 7 days after the page load, anew each minute', async ({ page }) => {
  await page.clock.install()
  await open(page)
  const cards = row(page, 'Coming Soon').getByRole('article')
  await expect(cards).toHaveCount(4)
  for (const card of await cards.all()) await expect(card.getByText('6d 23h 59m', { exact: true })).toBeVisible()
  await page.clock.runFor(60_000)
  for (const card of await cards.all()) await expect(card.getByText('6d 23h 58m', { exact: true })).toBeVisible()
  await page.clock.runFor(60 * 60_000)
  await expect(cards.first().getByText('6d 22h 58m', { exact: true })).toBeVisible()
})

test('a course with a launch date counts down to that date @both', async ({ page, ownServer }) => {
  const token = await adminOf(ownServer)
  const launch = new Date(Date.now() + (49 * 60 + 30) * 60_000 + 30_000).toISOString()
  await call(ownServer, 'PATCH', 'courses?title=eq.Documentary%20Filmmaking', { token, body: { launch_at: launch } })
  await open(page, `${ownServer.url}/`)
  const card = row(page, 'Coming Soon').getByRole('article', { name: 'Documentary Filmmaking' })
  await expect(card.getByText(/^2d 1h (30|29)m$/)).toBeVisible()
})

test('a course whose picture does not work gets another, never a broken one', async ({ page, ownServer, watch }) => {
  watch.allow(/pictures\.invalid/)
  await importCourses(ownServer, [
    { title: 'Seen Through Glass', rating: 5, thumbnail: 'https://pictures.invalid/none.jpg' },
  ])
  await open(page, `${ownServer.url}/`)
  const card = row(page, 'Trending Now').getByRole('article', { name: 'Seen Through Glass' })
  await card.scrollIntoViewIfNeeded()
  const isWhole = () =>
    card
      .locator('img, svg[viewBox]')
      .evaluateAll(
        (pictures) =>
          pictures.some((picture) => !(picture instanceof HTMLImageElement) || picture.naturalWidth > 0) &&
          pictures.every((picture) => !(picture instanceof HTMLImageElement) || picture.naturalWidth > 0),
      )
  await expect.poll(isWhole).toBe(true)
  await expect(card.locator('img[src*="pictures.invalid"]')).toHaveCount(0)
})

test('rows that cannot be loaded say so, and can be tried again', async ({ page, watch }) => {
  watch.allow(/status of 400/)
  await open(page, '/privacy-policy')
  const reads = '**/rest/v1/courses?*coming_soon=is.true*'
  await page.route(reads, (route) =>
    route.fulfill({ status: 400, json: { code: 'PGRST100', message: 'no', details: null, hint: null } }),
  )
  await page.getByRole('link', { name: 'Greenroom, home' }).click()
  await expect(row(page, 'Coming Soon').getByRole('alert')).toContainText('These courses could not be loaded')
  await expect(row(page, 'Trending Now').getByRole('article')).toHaveCount(6)
  await page.unroute(reads)
  await row(page, 'Coming Soon').getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, 'Coming Soon').getByRole('article')).toHaveCount(4)
})

test('Trending is titled Trending Now: the 12 highest rated, by rating descending @both', async ({ page, server }) => {
  const best = await rows<Listed>(server, `courses?select=title,rating&${order.replace('6', '12')}`)
  await open(page, '/trending')
  await expect(page.getByRole('heading', { level: 1, name: 'Trending Now' })).toBeVisible()
  const list = page.getByRole('list', { name: 'Trending Now' })
  expect(await list.getByRole('heading', { level: 2 }).allTextContents()).toEqual(best.map(({ title }) => title))
  const ratings = await ratingsIn(list)
  expect(ratings).toHaveLength(12)
  expect(ratings).toEqual(ratings.toSorted((a, b) => b - a))
})

test('a press on a row that the app has not come to yet brings it there', async ({ page }) => {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await rendered(page, '/')
  await page.goto('/')
  await hydrated(page, '[role=tab]')
  const join = row(page, 'Marketing & Growth').getByRole('button', { name: /^Join Waitlist/ })
  await join.first().hover()
  await page.mouse.down()
  await hydrated(page)
  await page.mouse.up()
  await expectToast(page, 'Please log in to join the waitlist')
})

test('a press from before the app is there is answered when it comes', async ({ page }) => {
  const heart = row(page, 'Coming Soon').getByRole('button', { name: /^Save/ })
  await rendered(page, '/')
  for (const [button, answer] of [
    [page.getByRole('button', { name: 'More Info' }), page.getByRole('dialog').getByText('What you will learn')],
    [heart.first(), page.getByText('Please log in to save courses')],
  ] as const) {
    const come = await holdScript(page)
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Register Now' }).click()
    await button.click()
    await expect(page.locator('[data-pressed]'), 'the last one counts').toHaveCount(1)
    come()
    await expect(answer).toBeVisible()
    await expect(page.locator('[data-pressed]')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})

test('coming back from a course leads to the row it was opened from', async ({ page }) => {
  await open(page, '/')
  const links = page.locator('#content article a[href^="/course/"]')
  await expect(links.first()).toBeVisible()
  // A course that stands in two rows, by its second card.
  const [href, second] = await links.evaluateAll((all) => {
    const addresses = all.map((one) => one.getAttribute('href') ?? '')
    const at = addresses.findIndex((one, index) => addresses.indexOf(one) < index)
    return [addresses[at] ?? '', at] as const
  })
  expect(second).toBeGreaterThan(0)
  await links.nth(second).click()
  await expect(page).toHaveURL(href)
  await page.goBack()
  await expect(page.locator(`#content article a[href="${href}"]`).nth(1)).toBeFocused()
})
