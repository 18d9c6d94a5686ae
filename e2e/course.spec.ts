import type { Page } from '@playwright/test'
import { call, importCourses, rows } from './fixtures/rest'
import { expect, expectAccessible, expectToast, open, still, test } from './fixtures/test'

type Full = {
  id: string
  title: string
  category: string
  instructor: string
  description: string
  duration: string
  lessons: number
  level: string
  rating: number
  learn: string
  audience: string
  outcome: string
  instructor_bio: string
}

const table = '**/rest/v1/course_waitlist*'

const join = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Join Waitlist', exact: true })
const leave = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Leave Waitlist', exact: true })

async function openShare(page: Page) {
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.getByRole('button', { name: 'Share' }).click()
  return page.getByRole('menu')
}

test('the course page shows its facts, about, instructor, details and more in this category @both', async ({
  page,
  course,
  server,
}) => {
  const { id } = await course('The Self-Tape Lab')
  const [full] = await rows<Full>(server, `courses?id=eq.${id}`)
  if (!full) throw new Error('no such course')
  await open(page, `/course/${id}`)
  const hero = page.getByRole('region', { name: full.title, exact: true })
  await expect(hero.getByRole('heading', { level: 1, name: full.title })).toBeVisible()
  for (const fact of [full.category, full.duration, `${full.lessons} lessons`, full.level])
    await expect(hero.getByText(fact, { exact: true })).toBeVisible()
  await expect(hero.getByText(`Rated ${full.rating.toFixed(1)}`)).toBeVisible()
  await expect(hero.getByRole('button', { name: 'Join Waitlist' })).toBeVisible()
  await expect(hero.getByRole('button', { name: 'Share' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'About this course' })).toBeVisible()
  await expect(main.getByText(full.description, { exact: true })).toBeVisible()
  const told = (name: string) => main.getByRole('region', { name, exact: true })
  await expect(told('What you will learn').getByRole('listitem')).toHaveText(full.learn.split('\n'))
  await expect(told('Who it is for')).toContainText(full.audience)
  await expect(told('What you make')).toContainText(full.outcome)
  await expect(told('Instructor').getByRole('heading', { name: 'Instructor' })).toBeVisible()
  await expect(told('Instructor').getByText(full.instructor, { exact: true })).toBeVisible()
  await expect(told('Instructor')).toContainText(full.instructor_bio)
  const details = main.getByRole('complementary', { name: 'Course details' })
  for (const value of [full.category, 'Online video', 'About 4 lessons a week', full.instructor, 'February 2025'])
    await expect(details.getByRole('definition').filter({ hasText: value }).first()).toBeVisible()
  const others = await rows<Full>(
    server,
    `courses?category=eq.${encodeURIComponent(full.category)}&id=neq.${id}&order=rating.desc,created_at.desc,id.asc&limit=6`,
  )
  const more = page.getByRole('region', { name: 'More in this category' })
  await expect(more.getByRole('heading', { level: 3 })).toHaveText(others.map(({ title }) => title))
  await more.getByRole('link', { name: others[0]?.title ?? '' }).click()
  await expect(page).toHaveURL(`/course/${others[0]?.id}`)
  await expect(page.getByRole('heading', { level: 1, name: others[0]?.title ?? '' })).toBeVisible()
})

test('a course that tells no more than its description shows no empty parts, and what else its instructor teaches', async ({
  page,
  ownServer,
}) => {
  await importCourses(ownServer, [{ title: 'One of Two' }, { title: 'Two of Two' }])
  const [first] = await rows<Full>(ownServer, `courses?title=eq.${encodeURIComponent('One of Two')}`)
  await open(page, `${ownServer.url}/course/${first?.id}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('region', { name: 'About this course' })).toBeVisible()
  for (const name of ['What you will learn', 'Who it is for', 'What you make'])
    await expect(main.getByRole('heading', { name })).toHaveCount(0)
  await main.getByRole('region', { name: 'Instructor' }).getByRole('link', { name: 'Two of Two' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Two of Two' })).toBeVisible()
})

test('the title of a course never stands on the prop of its picture', async ({ page, course }) => {
  const { id, title } = await course('Networking for Introverts in Film and Media')
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await open(page, `/course/${id}`)
    const words = await page.getByRole('heading', { level: 1, name: title }).boundingBox()
    const picture = await page.locator('[data-passage]').boundingBox()
    if (!words || !picture) throw new Error('not on the page')
    // The picture fades out towards the words: on a phone below two thirds of it, elsewhere left of two thirds.
    if (width < 640) expect(words.y).toBeGreaterThan(picture.y + picture.height * 0.8)
    else expect(words.x + words.width).toBeLessThan(picture.x + picture.width * 0.66)
  }
})

test('an unknown course is not found, within the app too, and Back to Home leads home', async ({ page, watch }) => {
  watch.allow(/status of 404/)
  await open(page, '/course/00000000-0000-4000-8000-000000000001')
  await expect(page.getByRole('heading', { name: 'Course not found' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Suggestions' }).getByRole('article')).toHaveCount(3)
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
})

test('without a network a course says so, and comes by itself when there is one', async ({
  page,
  context,
  course,
  watch,
}) => {
  // What is loaded ahead of its use may still be on its way.
  watch.allow(/ERR_INTERNET_DISCONNECTED|The page failed|Failed to fetch|TypeError|Unable to preload/)
  const { title } = await course()
  await open(page, '/')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('region', { name: 'Trending Now', exact: true }).getByRole('link', { name: title }).click()
  await expect(page.getByRole('alert')).toContainText('You’re offline. It loads once you’re back.')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What you will learn' })).toBeVisible()
})

test("a stranger hears 'Authentication required / Please sign in to join the waitlist' and stays", async ({
  page,
  course,
}) => {
  const { id } = await course()
  await open(page, `/course/${id}`)
  await join(page).click()
  await expectToast(page, 'Authentication required')
  await expectToast(page, 'Please sign in to join the waitlist')
  await expect(page).toHaveURL(`/course/${id}`)
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/auth')
  expect(await page.evaluate(() => sessionStorage.getItem('greenroom.wanted'))).toBe(`/course/${id}`)
})

test("a learner joins and leaves: 'Added to waitlist', 'Removed from waitlist' @both", async ({
  page,
  course,
  signIn,
  server,
}) => {
  const { id, title } = await course('Music Production with AI')
  const { token, email } = await signIn()
  const entries = () => rows(server, 'course_waitlist', token)
  await open(page, `/course/${id}`)
  await join(page).click()
  await expectToast(page, 'Added to waitlist')
  await expect(leave(page)).toBeEnabled()
  expect(await entries()).toMatchObject([{ course_title: title, course_id: id, email, name: null }])
  await leave(page).click()
  await expectToast(page, 'Removed from waitlist')
  await expect(join(page)).toBeEnabled()
  expect(await entries()).toEqual([])
})

test("who joined elsewhere meanwhile hears 'Already on waitlist'", async ({ page, course, signIn, server }) => {
  const { id, title } = await course()
  const person = await signIn()
  const read = page.waitForResponse(/course_waitlist/)
  await open(page, `/course/${id}`)
  await read
  const body = { user_id: person.id, course_title: title, email: person.email }
  await call(server, 'POST', 'course_waitlist', { token: person.token, body })
  await join(page).click()
  await expectToast(page, 'Already on waitlist')
  await expect(leave(page)).toBeEnabled()
})

test('joining and leaving that fail say so and change nothing', async ({ page, course, signIn, server, watch }) => {
  watch.allow(/ERR_FAILED/)
  const { id } = await course()
  const { token } = await signIn()
  const entries = () => rows(server, 'course_waitlist', token)
  await open(page, `/course/${id}`)
  await page.route(table, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await join(page).click()
  await expectToast(page, 'Failed to join waitlist. Please try again.')
  await expect(join(page)).toBeEnabled()
  expect(await entries()).toEqual([])
  await page.unroute(table)
  await join(page).click()
  await expectToast(page, 'Added to waitlist')
  await page.route(table, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue()))
  await leave(page).click()
  await expectToast(page, 'Failed to remove from waitlist. Please try again.')
  await expect(leave(page)).toBeEnabled()
  expect(await entries()).toHaveLength(1)
})

test('Share opens email, WhatsApp, Facebook, Twitter and LinkedIn in new tabs', async ({ page, course, server }) => {
  const { id, title } = await course()
  await open(page, `/course/${id}`)
  const menu = await openShare(page)
  const address = encodeURIComponent(`${server.url}/course/${id}`)
  const text = encodeURIComponent(title)
  for (const [name, start, parts] of [
    ['Email', 'mailto:', [text, address]],
    ['WhatsApp', 'https://wa.me/', [text, address]],
    ['Facebook', 'https://www.facebook.com/sharer', [address]],
    ['Twitter', 'https://twitter.com/intent/tweet', [text, address]],
    ['LinkedIn', 'https://www.linkedin.com/sharing', [address]],
  ] as const) {
    const entry = menu.getByRole('menuitem', { name })
    await expect(entry).toHaveAttribute('target', '_blank')
    const href = (await entry.getAttribute('href')) ?? ''
    expect(href.startsWith(start), href).toBe(true)
    for (const part of parts) expect(href).toContain(part)
  }
  await still(page)
  await expectAccessible(page, '[role=menu]')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, '[role=menu]')
})

test('the share menu covers no word of the title', async ({ page, course }) => {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await open(page, `/course/${(await course('Documentary Filmmaking')).id}`)
    const menu = await openShare(page)
    await still(page)
    const [box, title] = [await menu.boundingBox(), await page.getByRole('heading', { level: 1 }).boundingBox()]
    expect(box?.y, `${width} x ${height}`).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0))
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
  }
})

test("copying the link says 'Link copied!', or 'Failed to copy'", async ({ page, course, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
  const { id } = await course()
  await open(page, `/course/${id}`)
  await (await openShare(page)).getByRole('menuitem', { name: 'Copy link' }).click()
  await expectToast(page, 'Link copied!')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/course/${id}`)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await (await openShare(page)).getByRole('menuitem', { name: 'Copy link' }).click()
  await expectToast(page, 'Failed to copy')
})

test("the native share sheet, where there is one, says 'Shared successfully!'", async ({ page, course, server }) => {
  // Headless browsers have no sheet: this one keeps what it was given.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: (data: ShareData) => {
        Object.assign(window, { shared: data })
        return Promise.resolve()
      },
    })
  })
  const { id, title } = await course()
  await open(page, `/course/${id}`)
  await (await openShare(page)).getByRole('menuitem', { name: 'More ways to share' }).click()
  await expectToast(page, 'Shared successfully!')
  expect(await page.evaluate(() => (window as unknown as { shared: ShareData }).shared)).toEqual({
    title,
    url: `${server.url}/course/${id}`,
  })
})

test('a word that is wider than the screen breaks, and not the page', async ({ page, ownServer }) => {
  const word = 'x'.repeat(100)
  await importCourses(ownServer, [{ title: word, instructor: word, description: word.repeat(3) }])
  const [made] = await rows<Full>(ownServer, `courses?title=eq.${word}`)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of [`/course/${made?.id}`, `/search?q=${word}`, '/']) {
      await page.goto(ownServer.url + path)
      await expect(page.getByText(word).first()).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
    }
  }
})
