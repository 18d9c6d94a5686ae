import type { Page } from '@playwright/test'
import { call, rows } from './fixtures/rest'
import { type Course, expect, expectAccessible, expectToast, gate, open, test } from './fixtures/test'

const table = '**/rest/v1/course_waitlist*'
const added = "Added to waitlist! We'll notify you when this course launches."

type Entry = { course_title: string; course_id: string | null; email: string; user_id: string }

const button = (page: Page, state: string, title: string) => page.getByRole('button', { name: `${state}: ${title}` })

test("a stranger's card says 'Please log in to join the waitlist' and goes to /auth", async ({ page, course }) => {
  const { title } = await course()
  await open(page, '/trending')
  await button(page, 'Join Waitlist', title).click()
  await expectToast(page, 'Please log in to join the waitlist')
  await expect(page).toHaveURL('/auth')
})

for (const [where, press] of [
  [
    'a card',
    async (page: Page, { title }: Course) => {
      await open(page, '/trending')
      await button(page, 'Join Waitlist', title).click()
      return button(page, 'On Waitlist', title)
    },
  ],
  [
    'the course page',
    async (page: Page, { id }: Course) => {
      await open(page, `/course/${id}`)
      await page.getByRole('button', { name: 'Join Waitlist', exact: true }).click()
      await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Sign in' }).click()
      return page.getByRole('button', { name: 'Leave Waitlist' })
    },
  ],
] as const)
  test(`what a stranger pressed on ${where} is done when they come back from signing in`, async ({
    page,
    course,
    signIn,
    server,
  }) => {
    const person = await signIn()
    await page.evaluate(() => localStorage.clear())
    const wanted = await course('The Self-Tape Lab')
    const done = await press(page, wanted)
    await expect(page.getByText(`Sign in to join the waitlist for ${wanted.title}.`)).toBeVisible()
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(done).toBeVisible()
    await expectToast(page, /^Added to waitlist/)
    expect(await rows<Entry>(server, 'course_waitlist', person.token)).toMatchObject([{ course_title: wanted.title }])
  })

test('who was led away from far down a page stands there again after signing in', async ({ page, signIn }) => {
  const person = await signIn()
  await page.evaluate(() => localStorage.clear())
  await open(page)
  const card = page.getByRole('region', { name: 'Marketing & Growth', exact: true }).getByRole('article').first()
  await card.getByRole('button', { name: /^Join Waitlist/ }).click()
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
  await expect(card.getByRole('button', { name: /^On Waitlist/ })).toBeInViewport({ ratio: 1 })
  await expect(card.getByRole('heading').getByRole('link')).toBeFocused()
})

test("a card is 'Joining...', then 'On Waitlist' and disabled @both", async ({
  page,
  course,
  signIn,
  server,
  letterTo,
}) => {
  const { id, title } = await course()
  const person = await signIn()
  await open(page, '/trending')
  const held = gate()
  await page.route(table, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await held.opened
    return route.continue()
  })
  await button(page, 'Join Waitlist', title).click()
  await expect(button(page, 'Joining...', title)).toBeDisabled()
  await expect(button(page, 'Joining...', title)).toHaveText('Joining...')
  held.open()
  await expectToast(page, added)
  await expect(button(page, 'On Waitlist', title)).toBeDisabled()
  await expect(button(page, 'On Waitlist', title)).toHaveText('On Waitlist')
  expect(await rows<Entry>(server, 'course_waitlist', person.token)).toMatchObject([
    { course_title: title, course_id: id, email: person.email, user_id: person.id },
  ])
  expect((await letterTo(person.email)).text).toContain(title)
  await page.getByRole('link', { name: title }).first().click()
  await expect(page.getByRole('button', { name: 'Leave Waitlist' })).toBeVisible()
})

test("who joined elsewhere meanwhile hears 'You're already on the waitlist!' and is on it", async ({
  page,
  course,
  signIn,
  server,
  watch,
}) => {
  watch.allow(/status of 409/)
  const { title } = await course()
  const { token, id, email } = await signIn()
  const read = page.waitForResponse(/course_waitlist/)
  await open(page, '/trending')
  await read
  await call(server, 'POST', 'course_waitlist', { token, body: { user_id: id, course_title: title, email } })
  await button(page, 'Join Waitlist', title).click()
  await expectToast(page, "You're already on the waitlist!")
  await expect(button(page, 'On Waitlist', title)).toBeDisabled()
})

test("a card that fails says so, in the server's words where it has any, and is free again", async ({
  page,
  course,
  signIn,
  server,
  watch,
}) => {
  watch.allow(/ERR_FAILED|status of 400/)
  const { title } = await course()
  const { token } = await signIn()
  await open(page, '/trending')
  await page.route(table, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await button(page, 'Join Waitlist', title).click()
  await expectToast(page, 'Failed to join waitlist')
  await expect(button(page, 'Join Waitlist', title)).toBeEnabled()
  await page.unroute(table)
  await page.route(table, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { code: '23514', message: 'Not this one.', details: null, hint: null } })
      : route.continue(),
  )
  await button(page, 'Join Waitlist', title).click()
  await expectToast(page, 'Not this one.')
  await expect(button(page, 'Join Waitlist', title)).toBeEnabled()
  expect(await rows(server, 'course_waitlist', token)).toEqual([])
})

test('/waitlist goes to /auth without a session, and its empty state offers Browse Courses', async ({
  page,
  signIn,
}) => {
  await page.goto('/waitlist')
  await expect(page).toHaveURL('/auth')
  await signIn()
  await open(page, '/waitlist')
  await expect(page.getByText('Your waitlist is empty')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Browse Courses' }).click()
  await expect(page).toHaveURL('/')
})

test("/waitlist lists the newest first with 'Added' dates, and Remove removes @both", async ({
  page,
  signIn,
  server,
  watch,
}) => {
  watch.allow(/ERR_FAILED/)
  const { token, id, email } = await signIn()
  const titles = ['Pitching to Producers', 'Documentary Filmmaking', 'The Self-Tape Lab']
  for (const course_title of titles)
    await call(server, 'POST', 'course_waitlist', { token, body: { user_id: id, course_title, email } })
  await open(page, '/waitlist')
  const list = page.getByRole('list', { name: 'Your waitlist' })
  await expect(list.getByRole('heading')).toHaveText(titles.toReversed())
  const today = await page.evaluate(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date()))
  await expect(list.getByText(`Added ${today}`)).toHaveCount(3)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)

  await page.route(table, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue()))
  await list.getByRole('button', { name: 'Remove Documentary Filmmaking' }).click()
  await expectToast(page, 'Failed to remove from waitlist. Please try again.')
  await expect(list.getByRole('heading')).toHaveText(titles.toReversed())
  await page.unroute(table)
  await list.getByRole('button', { name: 'Remove Documentary Filmmaking' }).click()
  await expectToast(page, 'Removed from waitlist')
  await expect(list.getByRole('heading')).toHaveText(['The Self-Tape Lab', 'Pitching to Producers'])
  await expect
    .poll(async () =>
      (await rows<Entry>(server, 'course_waitlist?order=created_at', token)).map((row) => row.course_title),
    )
    .toEqual(['Pitching to Producers', 'The Self-Tape Lab'])
})

test("/waitlist that cannot be read says 'Failed to load waitlist' and can be tried again", async ({
  page,
  signIn,
  watch,
}) => {
  watch.allow(/ERR_FAILED/)
  await signIn()
  await page.route(table, (route) => route.abort())
  await page.goto('/waitlist')
  await expectToast(page, 'Failed to load waitlist')
  await expect(page.getByRole('region', { name: 'More to explore' }).getByRole('article')).toHaveCount(4)
  await page.unroute(table)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Your waitlist is empty')).toBeVisible()
})

test('an entry shows the picture of its course and when it opens', async ({ page, signIn, server, course }) => {
  const { id, token, email } = await signIn()
  const soon = await course('Documentary Filmmaking')
  const there = await course('Negotiating Your Rate')
  for (const { title } of [soon, there])
    await call(server, 'POST', 'course_waitlist', { token, body: { user_id: id, course_title: title, email } })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await open(page, '/waitlist')
    const entry = (title: string) =>
      page.getByRole('list', { name: 'Your waitlist' }).getByRole('listitem').filter({ hasText: title })
    await expect(entry(soon.title).locator('img')).toBeVisible()
    await expect(entry(soon.title)).toContainText(/Opens in 6d 23h 5\dm/)
    await expect(entry(there.title)).toContainText('3 weeks · All Levels')
    const [name, remove] = await Promise.all([
      entry(soon.title).getByRole('heading').boundingBox(),
      entry(soon.title)
        .getByRole('button', { name: /^Remove/ })
        .boundingBox(),
    ])
    expect(name?.width, 'room for the title').toBeGreaterThan(150)
    expect(remove?.height).toBeGreaterThanOrEqual(36)
  }
})
