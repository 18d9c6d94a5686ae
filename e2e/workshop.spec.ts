import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { call, rows } from './fixtures/rest'
import { expect, expectAccessible, expectToast, gate, hearToasts, open, still, test } from './fixtures/test'

const title = 'Screen Acting and Professional Preparation Workshop'
const thanks = "Success! You've been added to the waitlist. We'll be in touch soon!"

const hero = (page: Page) => page.getByRole('region', { name: 'Featured workshop' })
const form = (page: Page) => page.getByRole('dialog', { name: 'Register for the workshop' })

async function openForm(page: Page) {
  await hero(page).getByRole('button', { name: 'Register Now' }).click()
  await expect(form(page)).toBeVisible()
}

async function fill(page: Page, name: string, email: string) {
  await form(page).getByLabel('Name').fill(name)
  await form(page).getByLabel('Email').fill(email)
}

const submit = (page: Page) => form(page).getByRole('button', { name: 'Register Now' })

test('the hero names the workshop, its host, date, time and spots', async ({ page, ownServer }) => {
  await open(page, `${ownServer.url}/`)
  await expect(hero(page).getByRole('heading', { level: 1, name: title })).toBeVisible()
  for (const text of [/^With .+/, /Late November 2025/i, /13:30.+14:15.*45 minutes/, /^Only 12 spots$/])
    await expect(hero(page).getByText(text)).toBeVisible()
})

test('More Info opens a dialog whose Register Now closes it and opens the registration', async ({ page }) => {
  await open(page)
  await hero(page).getByRole('button', { name: 'More Info' }).click()
  const info = page.getByRole('dialog', { name: title })
  for (const name of ['About', 'What you will learn', 'Register'])
    await expect(info.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(info.getByText('Online, 45 minutes, only 12 spots.')).toBeVisible()
  await expect(page.locator('#root'), 'the page behind is not styled anew').toHaveCSS('pointer-events', 'auto')
  await still(page)
  await expectAccessible(page, '[role=dialog]')
  await info.getByRole('button', { name: 'Register Now' }).click()
  await expect(info).toBeHidden()
  await expect(form(page)).toBeVisible()
  await still(page)
  await expectAccessible(page, '[role=dialog]')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(form(page)).toBeHidden()
  await expect(hero(page).getByRole('button', { name: 'More Info' })).toBeFocused()
})

test('Register Now of More Info is always in view', async ({ page }) => {
  for (const [width, height] of [
    [1440, 900],
    [1280, 600],
    [390, 844],
    [320, 480],
  ] as const) {
    await page.setViewportSize({ width, height })
    await open(page)
    await hero(page).getByRole('button', { name: 'More Info' }).click()
    const info = page.getByRole('dialog', { name: title })
    await still(page)
    await expect(info.getByRole('button', { name: 'Register Now' }), `${width} x ${height}`).toBeInViewport({
      ratio: 1,
    })
    const last = info.getByText('Online, 45 minutes, only 12 spots.')
    await info.evaluate((panel) => panel.scrollTo(0, panel.scrollHeight))
    const [text, button] = await Promise.all([
      last.boundingBox(),
      info.getByRole('button', { name: 'Register Now' }).boundingBox(),
    ])
    expect((text?.y ?? 0) + (text?.height ?? 0), 'and covers nothing at the end').toBeLessThanOrEqual(button?.y ?? 0)
  }
})

test("without a name or an email it says 'Please fill in all fields' and sends nothing", async ({ page }) => {
  await open(page)
  await openForm(page)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent++
  })
  const heard = await hearToasts(page)
  const expected: string[] = []
  for (const [name, email] of [
    ['', ''],
    ['   ', 'ada@example.com'],
    ['Ada', '   '],
  ] as const) {
    await fill(page, name, email)
    await submit(page).click()
    expected.push('Please fill in all fields')
    await expect.poll(heard).toEqual(expected)
  }
  await fill(page, 'Ada', 'not an address')
  await submit(page).click()
  await expect(form(page).getByLabel('Email')).toHaveAccessibleDescription('Invalid email address')
  await expect(form(page).getByLabel('Email')).toHaveAttribute('type', 'email')
  expect(sent).toBe(0)
})

test("a registration is busy as 'Registering...', then closed and cleared @both", async ({
  page,
  server,
  letterTo,
}) => {
  const email = `${randomUUID()}@example.com`
  await open(page)
  await openForm(page)
  await fill(page, '  Ada Lovelace ', ` ${email} `)
  const held = gate()
  await page.route('**/rest/v1/course_waitlist*', async (route) => {
    await held.opened
    await route.continue()
  })
  await submit(page).click()
  await expect(form(page).getByRole('button', { name: 'Registering...' })).toBeDisabled()
  await expect(form(page).getByLabel('Name')).toHaveValue('  Ada Lovelace ')
  held.open()
  await expectToast(page, thanks)
  await expect(form(page)).toBeHidden()
  await page.unroute('**/rest/v1/course_waitlist*')
  await openForm(page)
  await expect(form(page).getByLabel('Name')).toHaveValue('')
  await expect(form(page).getByLabel('Email')).toHaveValue('')
  const letter = await letterTo(email)
  expect(letter.text).toContain(title)
  const [workshop] = await rows<{ spots: number; spots_left: number }>(server, 'workshops?select=spots,spots_left')
  expect(workshop?.spots).toBe(12)
  expect(workshop?.spots_left).toBeLessThan(12)
})

test('the spots go down to none, each address counts once, and registration stays open', async ({
  page,
  ownServer,
}) => {
  const own = ownServer
  await open(page, `${own.url}/`)
  await expect(hero(page).getByText('Only 12 spots', { exact: true })).toBeVisible()
  let heard = await hearToasts(page)
  const register = async (email: string) => {
    const before = (await heard()).length
    await openForm(page)
    await fill(page, 'Ada', email)
    await submit(page).click()
    await expect.poll(async () => (await heard()).slice(before)).toEqual([thanks])
    await expect(form(page)).toBeHidden()
  }
  await register('ada@example.com')
  await expect(hero(page).getByText('Only 11 of 12 spots left')).toBeVisible()
  await register('ADA@example.com')
  await expect(hero(page).getByText('Only 11 of 12 spots left')).toBeVisible()
  for (let number = 2; number <= 11; number++)
    await call(own, 'POST', 'course_waitlist', {
      body: { name: 'Guest', email: `guest${number}@example.com`, course_title: title },
    })
  await open(page, `${own.url}/`)
  heard = await hearToasts(page)
  await expect(hero(page).getByText('Only 1 of 12 spots left')).toBeVisible()
  await register('last@example.com')
  await expect(hero(page).getByText(/^All 12 spots taken/)).toBeVisible()
  await register('late@example.com')
  await expect(hero(page).getByText(/^All 12 spots taken/)).toBeVisible()
})

test("when the network fails it says 'Failed to join waitlist. Please try again.' and keeps what was typed", async ({
  page,
  server,
  watch,
}) => {
  watch.allow(/ERR_FAILED/)
  const left = async () => (await rows<{ spots_left: number }>(server, 'workshops?select=spots_left'))[0]?.spots_left
  const before = await left()
  await open(page)
  await openForm(page)
  const email = `${randomUUID()}@example.com`
  await fill(page, 'Ada', email)
  await page.route('**/rest/v1/course_waitlist*', (route) => route.abort())
  await submit(page).click()
  await expectToast(page, 'Failed to join waitlist. Please try again.')
  await expect(form(page).getByLabel('Name')).toHaveValue('Ada')
  await expect(form(page).getByLabel('Email')).toHaveValue(email)
  expect(await left()).toBe(before)
  await page.unroute('**/rest/v1/course_waitlist*')
  await submit(page).click()
  await expectToast(page, thanks)
})
