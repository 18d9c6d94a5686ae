import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { call, rows } from './fixtures/rest'
import type { Server } from './fixtures/server'
import { close, enroll, invoke, reading, type Taught, teach } from './fixtures/taught'
import {
  expect,
  expectAccessible,
  expectAccessibleAtBothSizes,
  expectToast,
  open,
  type Person,
  signedInAs,
  test,
} from './fixtures/test'

const taught = new Map<Server, Promise<Taught>>()
/** One course of texts for all tests of a worker. */
const courseOn = (server: Server) => {
  const known =
    taught.get(server) ??
    teach(server, [
      { title: 'Where to stand', kind: 'text', preview: true, body: reading },
      { title: 'Sending it off', kind: 'text', body: 'Name the file.' },
    ])
  taught.set(server, known)
  return known
}

const filmed = new Map<Server, Promise<Taught>>()

test.beforeEach(() => test.setTimeout(300_000))
test.afterAll(() => close(taught))
test.afterAll(() => close(filmed))

const path = (course: Taught, index = 0) => `/learn/${course.id}/${course.lessons[index]?.id}`
const toastsGone = (page: Page) => expect(page.locator('[data-sonner-toast]')).toHaveCount(0)

const letTeach = (server: Server, course: Taught, person: Person) =>
  call(server, 'POST', 'course_teachers', {
    token: course.admin,
    body: { course_id: course.id, user_id: person.id, shown_name: 'Mara Ellison' },
  })

/** Asks past the screen, and gives the question. */
async function ask(server: Server, course: Taught, person: Person, title: string, index = 0) {
  const lesson_id = course.lessons[index]?.id
  await call(server, 'POST', 'lesson_questions', {
    token: person.token,
    body: { course_id: course.id, lesson_id, title },
  })
  const [row] = await rows<{ id: string }>(
    server,
    `lesson_questions?select=id&lesson_id=eq.${lesson_id}&title=eq.${encodeURIComponent(title)}`,
    person.token,
  )
  return row?.id ?? ''
}

test('a learner writes, changes and finds notes, and takes them along @both', async ({ page, server, signIn }) => {
  const course = await courseOn(server)
  await enroll(server, course.id, await signIn())
  await open(page, path(course))
  await expect(page.getByText('Only you see your notes.')).toBeVisible()
  await page.keyboard.press('b')
  const field = page.getByRole('textbox', { name: 'New note' })
  await expect(field).toBeFocused()
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByText('Write something first.')).toBeVisible()
  await field.fill('Window in front.\n# Not a heading')
  await field.press('Control+Enter')
  await expectToast(page, 'Note saved')
  await expect(page.getByText('Window in front.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit note' }).click()
  await page.getByRole('textbox', { name: 'Edit note' }).fill('Window behind the camera.\n# Not a heading')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByText('Window behind the camera.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit note' })).toBeFocused()
  await toastsGone(page)
  await expectAccessibleAtBothSizes(page)

  await page.getByRole('link', { name: 'All notes of this course' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notes' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Where to stand' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to the course' })).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^notes-the-room-[0-9a-f]+\.md$/)
  expect(await readFile(await file.path(), 'utf8')).toBe(
    `# Notes: ${course.title}\n\n## Where to stand\n\n- Window behind the camera.\n  \\# Not a heading\n`,
  )
  await page.getByRole('button', { name: 'Delete note' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No notes yet')).toBeVisible()
  await toastsGone(page)
  await expectAccessible(page)
})

test('a question is asked, answered and accepted, and both sides get an email @both', async ({
  page,
  server,
  signIn,
  letterTo,
}) => {
  const course = await courseOn(server)
  const teacher = await signIn()
  await letTeach(server, course, teacher)
  const learner = await signIn()
  await enroll(server, course.id, learner)
  await open(page, path(course))
  await page.getByRole('tab', { name: 'Questions' }).click()
  await page.getByRole('button', { name: 'Ask a question' }).click()
  await expect(page.getByText('You appear as “A learner”.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add your name in Settings' })).toHaveAttribute('href', '/settings')
  await page.getByRole('button', { name: 'Post question' }).click()
  await expect(page.getByText('Write your question first.')).toBeVisible()
  const title = `Which window at night? ${learner.id.slice(0, 4)}`
  await page.getByRole('textbox', { name: 'Your question' }).fill(title)
  await page.getByRole('textbox', { name: 'Details' }).fill('Mine faces north.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Post question' }).click()
  await expectToast(page, 'Question posted')
  const posted = page.getByRole('listitem').filter({ hasText: title })
  await expect(posted.getByText('You', { exact: true })).toBeVisible()
  await posted.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit question' }).fill(' ')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Write your question first.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { level: 3, name: title })).toBeVisible()
  expect((await letterTo(teacher.email)).subject).toBe(`1 new question: ${course.title}`)

  await signedInAs(page, server, teacher)
  await open(page, `/teach/${course.id}?tab=questions`)
  await expect(page.getByText(/^\d+ unanswered$/)).toBeVisible()
  await page.getByRole('button', { name: `Answer: ${title}` }).click()
  await page.getByRole('textbox', { name: 'Your answer' }).fill('None. Use one lamp.')
  await page.getByRole('button', { name: 'Post answer' }).click()
  await expectToast(page, 'Answer posted')
  const answers = page.getByRole('list', { name: `Answers to ${title}` })
  await answers.getByRole('button', { name: 'Accept' }).click()
  await expect(answers.getByText('Accepted', { exact: true })).toBeVisible()
  await toastsGone(page)
  await expectAccessibleAtBothSizes(page)

  const letter = await letterTo(learner.email)
  expect(letter.subject).toBe(`Your question was answered: ${course.title}`)
  const link = /\/learn\/\S+\?question=[0-9a-f-]+/.exec(letter.text)?.[0] ?? ''
  await signedInAs(page, server, learner)
  await open(page, link)
  await expect(page.getByText('None. Use one lamp.')).toBeInViewport()
  await expect(page.getByText('Mara Ellison')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
})

test('what is out of place is reported, hidden with a reason, and shown again', async ({ page, server, signIn }) => {
  const course = await courseOn(server)
  const teacher = await signIn()
  await letTeach(server, course, teacher)
  const author = await signIn()
  await enroll(server, course.id, author)
  const question = await ask(server, course, author, 'Buy my presets', 1)
  const reader = await signIn()
  await enroll(server, course.id, reader)
  await open(page, path(course, 1))
  await page.getByRole('tab', { name: 'Questions' }).click()
  await page.getByRole('button', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this question' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('An ad.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Report' }).click()
  await expectToast(page, 'Thank you. We will look at it.')

  await signedInAs(page, server, teacher)
  await open(page, `/teach/${course.id}?tab=questions`)
  await page.getByRole('button', { name: '1 reported' }).click()
  await expect(page.getByText('1 report', { exact: true })).toBeVisible()
  await expect(page.getByText('Reported: An ad.')).toBeVisible()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByText('Nothing is reported')).toBeVisible()
  await page.getByRole('button', { name: '0 reported' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Buy my presets' }).getByRole('button', { name: 'Hide' }).click()
  const reason = page.getByRole('dialog', { name: 'Hide this question' })
  await reason.getByRole('button', { name: 'Hide' }).click()
  await expect(reason.getByText('Give a reason.')).toBeVisible()
  await reason.getByRole('textbox', { name: 'Reason' }).fill('No ads, please.')
  await reason.getByRole('button', { name: 'Hide' }).click()
  await expect(page.getByText('Hidden by the teachers: No ads, please.')).toBeVisible()

  await signedInAs(page, server, author)
  await open(page, path(course, 1))
  await page.getByRole('tab', { name: 'Questions' }).click()
  await expect(page.getByText('Hidden by the teachers: No ads, please.')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await signedInAs(page, server, reader)
  await open(page, path(course, 1))
  await page.getByRole('tab', { name: 'Questions' }).click()
  await expect(page.getByText('No questions yet.')).toBeVisible()

  await signedInAs(page, server, teacher)
  await open(page, path(course, 1))
  await page.getByRole('button', { name: 'Show again' }).click()
  await expect(page.getByText('Hidden', { exact: true })).toHaveCount(0)
  await signedInAs(page, server, reader)
  await open(page, path(course, 1))
  await page.getByRole('tab', { name: 'Questions' }).click()
  await expect(page.getByRole('heading', { level: 3, name: 'Buy my presets' })).toBeVisible()

  await invoke(server, 'hide-post', course.admin, { kind: 'question', id: question, reason: 'The rules.' })
  await signedInAs(page, server, teacher)
  await open(page, path(course, 1))
  await expect(page.getByText('Hidden by an admin: The rules.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show again' })).toHaveCount(0)
})

test('what was typed stays when it cannot be saved or loaded', async ({ page, server, signIn, watch }) => {
  watch.allow(/Failed to load resource|ERR_FAILED/)
  const course = await courseOn(server)
  await enroll(server, course.id, await signIn())
  await page.route('**/rest/v1/lesson_notes*', (route) => route.abort())
  await open(page, path(course))
  await expect(page.getByText('Your notes could not be loaded')).toBeVisible()
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByRole('textbox', { name: 'New note' }).fill('Keep me.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expectToast(page, 'Failed to save note. Please try again.')
  await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('Keep me.')
  await page.unroute('**/rest/v1/lesson_notes*')
  await open(page, path(course))
  const field = page.getByRole('textbox', { name: 'New note' })
  await expect(field).toHaveValue('Keep me.')
  await expect(field).not.toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await field.press('Escape')
  await expect(field).toHaveCount(0)
  await page.getByRole('button', { name: 'Add a note' }).click()
  await expect(field).toHaveValue('Keep me.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expectToast(page, 'Note saved')
  await expect(page.getByRole('listitem').getByText('Keep me.')).toBeVisible()
})

test('a note remembers its moment of the film, and leads back to it', async ({ page, server, signIn }) => {
  const made = teach(server, [{ title: 'The first take', kind: 'video' }])
  filmed.set(server, made)
  const course = await made
  const person = await signIn()
  await enroll(server, course.id, person)
  await open(page, path(course))
  await expect(page.getByRole('region', { name: /^Video player/ })).toBeVisible()
  const seek = (to: number) =>
    page.evaluate(async (seconds) => {
      const video = document.querySelector('video') as HTMLVideoElement
      if (video.readyState < 1) await new Promise((resolve) => video.addEventListener('loadedmetadata', resolve))
      video.currentTime = seconds
      await video.play()
    }, to)
  const time = () => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)
  const isPaused = () => page.evaluate(() => document.querySelector('video')?.paused)
  await page.setViewportSize({ width: 1280, height: 480 })
  const place = () => page.evaluate(() => scrollY)
  expect(await place()).toBe(0)
  await seek(5.2)
  await page.keyboard.press('b')
  await expect(page.getByRole('textbox', { name: /^New note at 0:0[5-9]$/ })).toBeFocused()
  expect(await isPaused()).toBe(true)
  await expect.poll(place).toBeGreaterThan(0)
  await page.keyboard.type('The turn, J and K.')
  await page.keyboard.press('Control+Enter')
  await expectToast(page, 'Note saved')
  await expect.poll(isPaused).toBe(false)
  await expect.poll(place).toBe(0)
  await page.setViewportSize({ width: 390, height: 500 })
  const stuck = () =>
    page.evaluate(() =>
      ['.lesson-screen', '.lesson-opener'].map(
        (name) => getComputedStyle(document.querySelector(name) as Element).position,
      ),
    )
  expect(await stuck()).toEqual(['sticky', 'sticky'])
  await page.getByRole('button', { name: 'Add a note' }).click()
  const field = page.getByRole('textbox', { name: /^New note/ })
  await expect(field).toBeFocused()
  expect(await stuck()).toEqual(['static', 'static'])
  await expect(field).toBeInViewport({ ratio: 1 })
  await field.press('Escape')
  await page.setViewportSize({ width: 1280, height: 480 })
  const [note] = await rows<{ at_seconds: number }>(server, 'lesson_notes?select=at_seconds', person.token)
  const at = note?.at_seconds ?? 0
  expect(at).toBeGreaterThanOrEqual(5)
  await seek(0)
  await page.getByRole('button', { name: /^0:0\d, jump to/ }).click()
  await expect.poll(time).toBeGreaterThanOrEqual(at)
  await page.keyboard.press('Shift+?')
  await expect(page.getByText('Note at this moment')).toBeVisible()
  await open(page, `/learn/${course.id}/notes`)
  await page.getByRole('link', { name: /^0:0\d$/ }).click()
  await expect(page.getByRole('region', { name: /^Video player/ })).toBeVisible()
  await expect.poll(time).toBeGreaterThanOrEqual(at)
})

test('who only looks finds no notes and no questions', async ({ page, server, signIn }) => {
  const course = await courseOn(server)
  await signIn()
  await open(page, path(course))
  await expect(page.getByRole('button', { name: 'Enroll for Free' }).first()).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await signIn({ admin: true })
  await open(page, path(course))
  await expect(page.getByRole('heading', { level: 2, name: 'Questions' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask a question' })).toHaveCount(0)
  await invoke(server, 'questions', course.admin, { course: course.id })
})
