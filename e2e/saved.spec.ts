import type { Page } from '@playwright/test'
import { call, rows } from './fixtures/rest'
import { expect, expectAccessible, expectToast, gate, hearToasts, open, test } from './fixtures/test'

const table = '**/rest/v1/saved_courses*'

/** Follows a link of the navigation, which a phone keeps in its menu. */
async function follow(page: Page, name: string) {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('link', { name, exact: true }).click()
}

const save = (page: Page, title: string) => page.getByRole('button', { name: `Save ${title} to My List` })
const remove = (page: Page, title: string) => page.getByRole('button', { name: `Remove ${title} from My List` })

test("a stranger's heart says 'Please log in to save courses' and stays as it is", async ({ page, course }) => {
  const { title } = await course()
  await open(page, '/trending')
  await save(page, title).click()
  await expectToast(page, 'Please log in to save courses')
  await expect(save(page, title)).toHaveAttribute('aria-pressed', 'false')
  await expect(page).toHaveURL('/trending')
})

test('a heart saves and takes back, everywhere the course stands @both', async ({ page, course, signIn, server }) => {
  const { id, title } = await course()
  const { token } = await signIn()
  const saved = () => rows<{ course_id: string }>(server, 'saved_courses?select=course_id', token)
  await open(page, '/trending')
  await save(page, title).click()
  await expect(remove(page, title)).toHaveAttribute('aria-pressed', 'true')
  await expectToast(page, 'Added to My List')
  expect(await saved()).toEqual([{ course_id: id }])
  await page.getByRole('link', { name: 'Greenroom, home' }).click()
  await expect(remove(page, title).first()).toBeVisible()
  await follow(page, 'My List')
  const list = page.getByRole('list', { name: 'Saved courses' })
  await expect(list.getByRole('heading', { level: 2 })).toHaveText([title])
  // Without the toast, which may be half gone.
  await expectAccessible(page, 'main')
  await remove(page, title).first().click()
  await expectToast(page, 'Removed from My List')
  await expect(page.getByText("You haven't saved any courses yet")).toBeVisible()
  expect(await saved()).toEqual([])
})

test('a heart answers at once and goes back when the request fails', async ({
  page,
  course,
  signIn,
  server,
  watch,
}) => {
  watch.allow(/ERR_FAILED/)
  const { id, title } = await course()
  const { token } = await signIn()
  await open(page, '/trending')
  const held = gate()
  await page.route(table, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await held.opened
    return route.abort()
  })
  await save(page, title).click()
  await expect(remove(page, title)).toHaveAttribute('aria-pressed', 'true')
  held.open()
  await expectToast(page, 'Failed to update saved courses')
  await expect(save(page, title)).toHaveAttribute('aria-pressed', 'false')
  expect(await rows(server, 'saved_courses', token)).toEqual([])

  await page.unroute(table)
  await save(page, title).click()
  await expectToast(page, 'Added to My List')
  const heard = await hearToasts(page)
  await page.route(table, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue()))
  await remove(page, title).click()
  await expect.poll(heard).toEqual(['Failed to update saved courses'])
  await expect(remove(page, title)).toHaveAttribute('aria-pressed', 'true')
  expect(await rows(server, 'saved_courses?select=course_id', token)).toEqual([{ course_id: id }])
})

test("a course that was saved elsewhere meanwhile is 'Already in My List'", async ({
  page,
  course,
  signIn,
  server,
  watch,
}) => {
  watch.allow(/status of 409/)
  const { id, title } = await course()
  const person = await signIn()
  const read = page.waitForResponse(/saved_courses/)
  await open(page, '/trending')
  await read
  await call(server, 'POST', 'saved_courses', { token: person.token, body: { user_id: person.id, course_id: id } })
  await save(page, title).click()
  await expectToast(page, 'Already in My List')
  await expect(remove(page, title)).toHaveAttribute('aria-pressed', 'true')
})

test('My List goes to /auth without a session and comes back after sign-in @both', async ({ page, signIn }) => {
  const { email, password } = await signIn()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/my-list')
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectToast(page, 'Welcome back!')
  await expect(page).toHaveURL('/my-list')
  await expect(page.getByRole('heading', { level: 1, name: 'My List' })).toBeVisible()
})

test('My List says that it loads, and what to do when it is empty', async ({ page, signIn }) => {
  await signIn()
  const held = gate()
  await page.route(table, async (route) => {
    await held.opened
    await route.continue()
  })
  await page.goto('/my-list')
  await expect(page.getByText('Loading your saved courses...')).toBeVisible()
  held.open()
  await expect(page.getByText("You haven't saved any courses yet")).toBeVisible()
  await expect(page.getByText(/Click the heart icon/)).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Browse Courses' }).click()
  await expect(page).toHaveURL('/')
})

test('My List shows the newest first, and the keyboard keeps its place when a card goes', async ({
  page,
  course,
  signIn,
  server,
}) => {
  const { id: user_id, token } = await signIn()
  const titles = ['Pitching to Producers', 'The Self-Tape Lab', 'Podcasting, End to End']
  for (const title of titles)
    await call(server, 'POST', 'saved_courses', { token, body: { user_id, course_id: (await course(title)).id } })
  await open(page, '/my-list')
  const list = page.getByRole('list', { name: 'Saved courses' })
  await expect(list.getByRole('heading', { level: 2 })).toHaveText(titles.toReversed())
  await remove(page, 'The Self-Tape Lab').focus()
  await page.keyboard.press('Enter')
  await expect(list.getByRole('heading', { level: 2 })).toHaveCount(2)
  await expect(page.getByRole('main')).toBeFocused()
})

test("My List that cannot be read says 'Failed to load your saved courses' and can be tried again", async ({
  page,
  signIn,
  watch,
}) => {
  watch.allow(/ERR_FAILED/)
  await signIn()
  await page.route(table, (route) => route.abort())
  await page.goto('/my-list')
  await expectToast(page, 'Failed to load your saved courses')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByRole('region', { name: 'More to explore' }).getByRole('article')).toHaveCount(4)
  await page.unroute(table)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText("You haven't saved any courses yet")).toBeVisible()
})
