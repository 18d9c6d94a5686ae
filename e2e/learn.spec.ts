import type { Page } from '@playwright/test'
import type { Server } from './fixtures/server'
import { close, enroll, invoke, reading, type Taught, teach } from './fixtures/taught'
import {
  expect,
  expectAccessible,
  expectAccessibleAtBothSizes,
  expectToast,
  hydrated,
  open,
  openRendered,
  rendered,
  test,
} from './fixtures/test'

const taught = new Map<Server, Promise<Taught>>()
/** One course of texts for all tests of a worker. */
const courseOn = (server: Server) => {
  const known =
    taught.get(server) ??
    teach(server, [
      { title: 'Where to stand', kind: 'text', preview: true, body: reading },
      { title: 'Sending it off', kind: 'text', body: 'Name the file. <b>Then</b> send it.' },
      { title: 'After the callback', kind: 'text', body: 'Wait.', release_days: 3 },
    ])
  taught.set(server, known)
  return known
}

const path = (course: Taught, index = 0) => `/learn/${course.id}/${course.lessons[index]?.id}`
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test.beforeEach(() => test.setTimeout(300_000))
test.afterAll(() => close(taught))

test('a stranger finds what a course teaches and reads its first lesson, without a script @both', async ({
  page,
  server,
  browser,
}) => {
  const course = await courseOn(server)
  await rendered(page, `/course/${course.id}`)
  await rendered(page, path(course))
  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const quiet = await plain.newPage()
  await quiet.goto(`/course/${course.id}`)
  await expect(quiet.getByRole('button', { name: 'Enroll for Free' })).toBeVisible()
  await expect(quiet.getByRole('button', { name: 'Join Waitlist', exact: true })).toBeVisible()
  await expect(quiet.getByText('Locked: Sending it off')).toBeVisible()
  await quiet.getByRole('link', { name: 'Preview: Where to stand' }).click()
  await expect(heading(quiet, 'Where to stand')).toBeVisible()
  await expect(quiet.getByText('Stand where a window is in front of you.')).toBeVisible()
  const facts = await quiet.locator('.prose').evaluate((text) => getComputedStyle(text).lineHeight)
  expect(Number.parseFloat(facts), 'its own style sheet holds without a script').toBeGreaterThan(28)
  await plain.close()
  expect(await openRendered(page, path(course))).toBe(200)
  await expectAccessibleAtBothSizes(page)
})

test('a stranger is asked to sign in first, and who has enrolls from the page of a course @both', async ({
  page,
  server,
  signIn,
}) => {
  const course = await courseOn(server)
  await open(page, `/course/${course.id}`)
  await page.getByRole('button', { name: 'Enroll for Free' }).click()
  await expectToast(page, 'Please sign in to enroll')
  await page.waitForURL('**/auth')
  await signIn()
  await open(page, `/course/${course.id}`)
  await page.getByRole('button', { name: 'Enroll for Free' }).click()
  await expectToast(page, "You're enrolled! Enjoy the course.")
  const begin = page.getByRole('link', { name: 'Start Course' })
  await expect(begin).toBeFocused()
  await expect(page.getByText('0 of 3 lessons')).toBeVisible()
  await expectAccessible(page, 'main')
  await begin.click()
  await expect(heading(page, 'Where to stand')).toBeVisible()
})

test('enrolling twice is once, and it ends the wait for that course', async ({ page, server, signIn, watch }) => {
  watch.allow(/status of 409/)
  const course = await courseOn(server)
  const person = await signIn()
  await open(page, `/course/${course.id}`)
  await page.getByRole('button', { name: 'Join Waitlist', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Leave Waitlist' })).toBeVisible()
  // The same person, in another tab.
  await enroll(server, course.id, person)
  await page.getByRole('button', { name: 'Enroll for Free' }).click()
  await expectToast(page, "You're already enrolled")
  await expect(page.getByRole('link', { name: 'Start Course' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Join Waitlist', exact: true })).toBeVisible()
})

test('texts are gone through with Next, marked and unmarked; the schedule is kept @both', async ({
  page,
  server,
  signIn,
}) => {
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await open(page, path(course))
  await page.getByRole('button', { name: 'Mark as complete' }).click()
  await expectToast(page, 'Lesson completed')
  await expect(page.getByText('Completed', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Mark as complete' })).toBeVisible()
  const next = page.getByRole('navigation', { name: 'Lessons' }).getByRole('link', { name: /^Next/ })
  await next.click()
  await expect(heading(page, 'Sending it off')).toBeVisible()
  await expect(page.getByText('Name the file. <b>Then</b> send it.')).toBeVisible()
  const [first] = await invoke<{ courses: { done: number; of: number; next_title: string }[] }>(
    server,
    'my-learning',
    person.token,
    {},
  ).then(({ courses }) => courses)
  expect(first).toMatchObject({ done: 1, of: 3, next_title: 'Sending it off' })
  await next.click()
  await expect(page.getByText(/^Opens [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark as complete' })).toHaveCount(0)
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('link', { name: /^Previous/ }).click()
  await expect(heading(page, 'Sending it off')).toBeVisible()
})

test('what somebody is in the middle of waits for them at home, in My Learning and in the account @both', async ({
  page,
  server,
  signIn,
}) => {
  const course = await courseOn(server)
  const person = await signIn()
  await open(page, '/learn')
  await expect(page.getByText("You haven't started a course yet")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Browse Courses' })).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await open(page, '/account')
  await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'My Learning' })).toHaveCount(0)

  await enroll(server, course.id, person)
  await open(page, '/')
  const row = page.getByRole('region', { name: 'Continue Learning' })
  await expect(row.getByText('0 of 3 lessons')).toBeVisible()
  await expectAccessible(page, '#courses')
  await open(page, '/account')
  await page.getByRole('link', { name: 'My Learning' }).click()
  await expect(page.getByRole('heading', { name: 'In progress' })).toBeVisible()
  await expect(page.getByText('Next: Where to stand')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('link', { name: course.title }).click()
  await expect(heading(page, 'Where to stand')).toBeVisible()
})

test('on a phone the lessons are in a sheet', async ({ page, server, signIn }) => {
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, path(course))
  const opener = page.getByRole('button', { name: /^Lessons/ })
  await opener.click()
  const sheet = page.getByRole('dialog', { name: course.title })
  await expect(sheet.getByRole('link', { name: /Where to stand/ })).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)
  await sheet.getByRole('link', { name: /Sending it off/ }).click()
  await expect(sheet).toHaveCount(0)
  await expect(heading(page, 'Sending it off')).toBeVisible()
})

test('a lesson that cannot be loaded says so, one that is not there too, and a teacher sees a draft', async ({
  page,
  server,
  signIn,
  watch,
}) => {
  watch.allow(/status of 404|Failed to load resource|ERR_FAILED/)
  const course = await courseOn(server)
  await signIn({ admin: true })
  await page.route('**/functions/v1/lesson', (route) => route.abort())
  await page.goto(path(course, 1))
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await expect(page.getByText('This lesson could not be loaded')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/functions/v1/lesson')
  await again.click()
  await expect(page.getByText('Name the file.')).toBeVisible()

  await invoke(server, 'save-draft', course.admin, {
    lesson: course.lessons[1]?.id,
    body: 'A new draft.',
    draft_version: 2,
  })
  await page.goto(`${path(course, 1)}?preview=1`)
  await expect(page.getByText('Preview. Learners see the published version.')).toBeVisible()
  await expect(page.getByText('A new draft.')).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/learn/${course.id}/00000000-0000-4000-8000-00000000dead`)
  await expect(heading(page, 'Lesson not found')).toBeVisible()
  await hydrated(page, '#root > *')
  await expectAccessible(page)
})

test('a course without lessons is as it was', async ({ page, course }) => {
  const { id } = await course('The Self-Tape Lab')
  await openRendered(page, `/course/${id}`)
  await expect(page.getByRole('button', { name: 'Join Waitlist', exact: true })).toBeVisible()
  await expect(page.getByText(/Enroll|Curriculum/)).toHaveCount(0)
})
