import type { Page } from '@playwright/test'
import { call, rows } from './fixtures/rest'
import { invoke, School } from './fixtures/school'
import type { Server } from './fixtures/server'
import {
  test as base,
  expect,
  expectAccessible,
  expectAccessibleAtBothSizes,
  expectToast,
  hold,
  open,
  openRendered,
  type Person,
} from './fixtures/test'

type Fixtures = { school: School; lesson: string }

// A course of one lesson, which leaves no certificates behind: it goes when the test is done.
const test = base.extend<Fixtures>({
  school: async ({ server, page }, use) => {
    const school = await School.open(server)
    await use(school)
    await page.goto('about:blank')
    await school.end()
  },
  lesson: async ({ school, server }, use) => {
    const lesson = await school.published(await school.section('One'), 'Where to stand')
    await call(server, 'PATCH', `course_offers?course_id=eq.${school.course}`, {
      token: school.boss,
      body: { certificate: false },
    })
    await use(lesson)
  },
})

test.beforeEach(() => test.setTimeout(180_000))

const reviews = (page: Page) => page.getByRole('region', { name: 'Reviews', exact: true })
const own = (page: Page) => page.getByRole('region', { name: 'Your review' })

async function newPerson(page: Page, server: Server, name: string): Promise<Person> {
  const email = `${crypto.randomUUID()}@example.com`
  const password = `velvet curtain ${crypto.randomUUID()}`
  const answer = await page.request.post(`${server.url}/auth/v1/signup`, {
    headers: { apikey: server.apiKey },
    data: { email, password, data: { name } },
  })
  const session = await answer.json()
  return { email, password, token: session.access_token, id: session.user.id }
}

async function finish({ server, course }: School, lesson: string, { id, token }: Person) {
  await call(server, 'POST', 'enrollments', { token, body: { user_id: id, course_id: course } })
  await invoke(server, 'save-progress', { lesson, complete: true }, token)
}

/** Somebody who has finished the lesson and says what they think of it. */
async function said(page: Page, school: School, lesson: string, name: string, stars: number, text: string) {
  const person = await newPerson(page, school.server, name)
  await finish(school, lesson, person)
  const body = { course_id: school.course, stars, text }
  await call(school.server, 'POST', 'course_reviews', { token: person.token, body })
  return person
}

test('a course without lessons shows no reviews, and whose rating it is not either', async ({ page, school }) => {
  await open(page, `/course/${school.course}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(reviews(page)).toHaveCount(0)
  await expect(page.getByText('Editors’ rating')).toHaveCount(0)
})

test('a learner writes a review with the keyboard, changes it and takes it back @both', async ({
  page,
  school,
  lesson,
  server,
  signIn,
  watch,
}) => {
  watch.allow(/ERR_FAILED/)
  const ada = await signIn()
  const path = `/course/${school.course}`
  await open(page, path)
  await expect(page.getByText('Editors’ rating').first()).toBeVisible()
  await expect(reviews(page).getByText('No reviews yet.')).toBeVisible()
  await expect(own(page)).toHaveCount(0)
  await call(server, 'POST', 'enrollments', { token: ada.token, body: { user_id: ada.id, course_id: school.course } })
  await open(page, path)
  await expect(reviews(page).getByText('Finish a lesson first, then tell others what you think.')).toBeVisible()
  await invoke(server, 'save-progress', { lesson, complete: true }, ada.token)
  await open(page, path)
  await own(page).getByRole('button', { name: 'Post review' }).click()
  await expect(own(page).getByText('Choose how many stars you give.')).toBeVisible()
  await expect(own(page).getByRole('radio', { name: '1 star' })).toBeFocused()
  await page.keyboard.press('Space')
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  await expect(own(page).getByRole('radio', { name: '4 stars' })).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.type('It got me in front of the lens.')
  await expectAccessibleAtBothSizes(page)
  // A save that fails keeps what was typed.
  await page.route('**/rest/v1/course_reviews**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Failed to save your review. Please try again.')
  await expect(own(page).getByRole('textbox')).toHaveValue('It got me in front of the lens.')
  await page.unroute('**/rest/v1/course_reviews**')
  await open(page, path)
  await expect(own(page).getByRole('radio', { name: '4 stars' })).toBeChecked()
  await expect(own(page).getByRole('textbox')).toHaveValue('It got me in front of the lens.')
  await own(page).getByRole('button', { name: 'Post review' }).click()
  await expectToast(page, 'Thank you for your review!')
  await expect(own(page).getByRole('img', { name: '4 stars out of 5' })).toBeVisible()
  await own(page).getByRole('button', { name: 'Edit' }).click()
  await own(page).getByRole('radio', { name: '5 stars' }).check({ force: true })
  await own(page).getByRole('button', { name: 'Save review' }).click()
  await expectToast(page, 'Review updated')
  await expect(own(page).getByRole('img', { name: '5 stars out of 5' })).toBeVisible()
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Review deleted')
  await expect(own(page).getByRole('button', { name: 'Post review' })).toBeVisible()
  expect(await rows(server, `course_reviews?select=id&course_id=eq.${school.course}`)).toEqual([])
})

test('from the fifth review on the rating is the learners’, for strangers and search engines too', async ({
  page,
  school,
  lesson,
  browser,
  server,
}) => {
  const path = `/course/${school.course}`
  const rated = async () => {
    const html = await (await page.request.get(path)).text()
    return html.includes('"aggregateRating"')
  }
  for (const [index, stars] of [5, 5, 4, 5].entries())
    await said(page, school, lesson, `Learner ${index + 1}`, stars, `Said ${index + 1}.`)
  await openRendered(page, path)
  await expect(reviews(page).getByText('Editors’ rating')).toBeVisible()
  expect(await rated()).toBe(false)
  await said(page, school, lesson, 'Zoë Łukasiewicz', 2, 'Not for me.\nBut well made.')
  await expect.poll(rated).toBe(true)
  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const quiet = await plain.newPage()
  await quiet.goto(path)
  await expect(reviews(quiet).getByText(/^4\.2 · 5 reviews$/)).toBeVisible()
  await expect(reviews(quiet).getByRole('article', { name: 'Review by Zoë Łukasiewicz' })).toBeVisible()
  await expect(
    reviews(quiet)
      .getByRole('listitem')
      .filter({ hasText: /^5 stars: 3$/ }),
  ).toBeVisible()
  await expect(quiet.getByRole('link', { name: '5 reviews' })).toHaveAttribute('href', '#reviews')
  await plain.close()
  await openRendered(page, path)
  await expect(reviews(page).getByRole('button')).toHaveCount(0)
  await expectAccessibleAtBothSizes(page)
})

test('more reviews come when they are wanted, and a failure says so', async ({ page, school, lesson, watch }) => {
  watch.allow(/Failed to load resource/)
  for (let index = 1; index <= 11; index++) await said(page, school, lesson, `Learner ${index}`, 5, '')
  await open(page, `/course/${school.course}`)
  await expect(reviews(page).getByRole('article')).toHaveCount(10)
  await reviews(page).getByRole('button', { name: 'Show more reviews' }).click()
  await expect(reviews(page).getByRole('article')).toHaveCount(11)
  await expect(reviews(page).getByRole('button', { name: 'Show more reviews' })).toHaveCount(0)
  await page.route('**/rest/v1/course_reviews**', (route) => route.fulfill({ status: 400, json: { message: 'no' } }))
  await open(page, '/')
  await page.evaluate((to) => history.pushState({}, '', to), `/course/${school.course}`)
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await expect(page.getByText('The reviews could not be loaded')).toBeVisible()
  await page.unroute('**/rest/v1/course_reviews**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(reviews(page).getByRole('article')).toHaveCount(10)
})

test('a reader reports, the teacher replies, an admin hides with a reason that the author reads', async ({
  page,
  school,
  lesson,
  server,
  signIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const author = await signIn()
  await finish(school, lesson, author)
  await call(server, 'POST', 'course_reviews', {
    token: author.token,
    body: { course_id: school.course, stars: 2, text: 'The room was cold.' },
  })
  const path = `/course/${school.course}`
  await signIn()
  await open(page, path)
  const report = page.getByRole('button', { name: 'Report the review by A learner' })
  await report.click()
  const words = reviews(page).getByRole('textbox', { name: 'What is wrong with this review?' })
  await expect(words).toBeFocused()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(reviews(page).getByText('Write a few words first.')).toBeVisible()
  await words.fill('It is about the weather.')
  await expectAccessible(page, 'main')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expectToast(page, 'Thank you. We will look at it.')
  await expect(report).toBeFocused()

  const teacher = await signIn()
  await school.teacher(teacher.id, false)
  await open(page, path)
  await page.getByRole('button', { name: 'Reply to the review by A learner' }).click()
  await expect(reviews(page).getByText('You can’t change it later.')).toBeVisible()
  await reviews(page).getByRole('textbox', { name: 'Your reply' }).fill('We brought a heater.')
  await page.getByRole('button', { name: 'Post reply' }).click()
  await expectToast(page, 'Reply posted')
  await expect(reviews(page).getByText('We brought a heater.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Reply to/ })).toHaveCount(0)

  await signIn({ admin: true })
  await open(page, '/admin')
  const reported = page.getByRole('region', { name: 'Reported reviews' })
  await expect(reported.getByText('A review was reported')).toBeVisible()
  await expect(reported.getByText('It is about the weather.')).toBeVisible()
  await expectAccessible(page, 'main')
  await reported.getByRole('link', { name: school.title }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(school.title)
  await open(page, path)
  await expect(reviews(page).getByText('Reported once: It is about the weather.')).toBeVisible()
  await page.getByRole('button', { name: 'Hide the review by A learner' }).click()
  await reviews(page)
    .getByRole('textbox', { name: 'Why is it hidden? Its author reads this.' })
    .fill('It is not about the course.')
  const go = await hold(page, '**/functions/v1/hide-review')
  await page.getByRole('button', { name: 'Hide review' }).click()
  go()
  await expectToast(page, 'Review hidden')
  await page.getByText('Hidden reviews (1)').click()
  await expect(reviews(page).getByText('Hidden: It is not about the course.')).toBeVisible()
  await expectAccessible(page, 'main')

  await page.goto('/robots.txt')
  const answer = await page.request.post(`${server.url}/auth/v1/token?grant_type=password`, {
    headers: { apikey: server.apiKey },
    data: { email: author.email, password: author.password },
  })
  await page.evaluate(
    (session) => localStorage.setItem('sb-greenroom-auth-token', session),
    JSON.stringify(await answer.json()),
  )
  await open(page, path)
  await expect(own(page).getByText('Hidden from others. It is not about the course.')).toBeVisible()
  await expect(own(page).getByRole('button', { name: 'Delete' })).toHaveCount(0)
})
