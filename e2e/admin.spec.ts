import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { startPost } from './fixtures/post'
import { adminOf, call } from './fixtures/rest'
import { startServer } from './fixtures/server'
import { expect, expectAccessible, expectToast, open, type Person, test } from './fixtures/test'
import { hostile, ofLength, worldly } from './fixtures/texts'
import { codeOf } from './fixtures/totp'

type Installation = { url: string; apiKey: string }

/** Writes a row as somebody. */
async function insert(server: Installation, table: string, row: object, person?: Person) {
  const answer = await fetch(`${server.url}/rest/v1/${table}`, {
    method: 'POST',
    headers: {
      apikey: server.apiKey,
      Authorization: `Bearer ${person?.token ?? server.apiKey}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(row),
  })
  expect(answer.status, await answer.text()).toBe(201)
}

const workshop = 'Screen Acting and Professional Preparation Workshop'

const recommendation = (person: Person, title: string, description: string | null = null) => ({
  user_id: person.id,
  course_title: title,
  course_description: description,
  instructor_name: null,
  email: person.email,
})

const help = (person: Person, subject: string, message: string) => ({
  user_id: person.id,
  course_title: `Help: ${subject}`,
  course_description: `Name: Ada\nMessage: ${message}`,
  instructor_name: 'Help Center',
  email: person.email,
})

const unique = (text: string) => `${text} ${Math.random().toString(36).slice(2)}`
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
const countOf = async (page: Page, name: string) =>
  Number(/\((\d+)\)$/.exec((await tab(page, name).textContent()) ?? '')?.[1])
const rows = (page: Page, list: string) => page.getByRole('list', { name: list, exact: true }).getByRole('listitem')

async function known(page: Page, name: string) {
  await expect(tab(page, name)).toHaveText(/\(\d+\)$/)
  return countOf(page, name)
}

test.describe('who may enter', () => {
  test('a stranger goes to sign in, and comes back', async ({ page }) => {
    await page.goto('/admin')
    await expect(page).toHaveURL('/auth')
    expect(await page.evaluate(() => sessionStorage.getItem('greenroom.wanted'))).toBe('/admin')
  })

  test('a signed-in person is told and sent home', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/admin')
    await expectToast(page, 'Access denied. Admin only.')
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('tab', { name: /^Courses/ })).toHaveCount(0)
  })

  test('who is no admin is refused by the server too @both', async ({ server, signIn, page }) => {
    const ada = await signIn()
    const ask = (path: string, method = 'GET', body?: object, token = ada.token) =>
      page.request.fetch(path, {
        method,
        headers: { apikey: server.apiKey, Authorization: `Bearer ${token}` },
        ...(body ? { data: body } : {}),
      })
    for (const name of ['audit', 'mail', 'resend-mail'])
      expect((await ask(`/functions/v1/${name}`, 'POST', {})).status(), name).toBe(403)
    expect((await ask('/functions/v1/export?tab=waitlist')).status()).toBe(403)
    expect((await ask('/functions/v1/export?tab=waitlist', 'GET', undefined, server.apiKey)).status()).toBe(401)
    const added = await ask('/rest/v1/courses', 'POST', { title: 'Mine' })
    expect(added.status()).toBe(403)
    expect(await added.json()).toMatchObject({ code: '42501' })
    expect(await (await ask('/rest/v1/course_recommendations?select=*')).json()).toEqual([])
    const removed = await ask('/rest/v1/courses?rating=gte.0', 'DELETE')
    expect(removed.status()).toBe(204)
    expect((await (await ask('/rest/v1/courses?select=id')).json()).length).toBeGreaterThan(27)
  })
})

test('an admin who has a factor is one only after its code, on the screen and on the server', async ({
  page,
  server,
  signIn,
  watch,
}) => {
  watch.allow(/4\d\d \(.*\/auth\/v1\/factors/)
  const boss = await signIn({ admin: true })
  const ask = async (path: string, data: object, token: string) => {
    const answer = await page.request.post(path, {
      headers: { apikey: server.apiKey, Authorization: `Bearer ${token}` },
      data,
    })
    return { status: answer.status(), body: await answer.json().catch(() => null) }
  }
  const { body: factor } = await ask('/auth/v1/factors', { factor_type: 'totp', friendly_name: 'app' }, boss.token)
  const { body: challenge } = await ask(`/auth/v1/factors/${factor.id}/challenge`, {}, boss.token)
  const verified = { challenge_id: challenge.id, code: codeOf(factor.totp.secret) }
  expect((await ask(`/auth/v1/factors/${factor.id}/verify`, verified, boss.token)).status).toBe(200)

  const weak = (await ask('/auth/v1/token?grant_type=password', { email: boss.email, password: boss.password }, ''))
    .body
  expect((await ask('/functions/v1/audit', {}, weak.access_token)).status).toBe(403)
  expect(await ask('/rest/v1/courses', { title: 'Mine' }, weak.access_token)).toMatchObject({
    status: 403,
    body: { code: '42501' },
  })
  const hidden = await page.request.get('/rest/v1/course_waitlist?select=id', {
    headers: { apikey: server.apiKey, Authorization: `Bearer ${weak.access_token}` },
  })
  expect(await hidden.json()).toEqual([])

  await page.evaluate((session) => localStorage.setItem('sb-greenroom-auth-token', session), JSON.stringify(weak))
  await open(page, '/admin')
  const form = page.getByRole('form', { name: 'Two-step verification' })
  await form.getByLabel('Code').fill('000000')
  await form.getByRole('button', { name: 'Open the admin panel' }).click()
  await expect(form.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  // The code of this moment has been used: a code works once.
  await form.getByLabel('Code').fill(codeOf(factor.totp.secret, 1))
  await form.getByRole('button', { name: 'Open the admin panel' }).click()
  await expect(rows(page, 'Courses').first()).toBeVisible()
})

test.describe('Courses', () => {
  test('are counted and listed newest first, accessible at both sizes', async ({ page, signIn }) => {
    await signIn({ admin: true })
    await open(page, '/admin')
    await expect(page.getByRole('tab')).toHaveCount(4)
    expect(await known(page, 'Courses')).toBeGreaterThan(27)
    await expect(rows(page, 'Courses').first()).toBeVisible()
    await expectAccessible(page)
    await rows(page, 'Courses').first().locator('[data-row]').click()
    await page.getByRole('button', { name: 'Add Course' }).click()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })

  test('on a phone have titles of two lines, and tabs that fade where more of them are', async ({ page, signIn }) => {
    await signIn({ admin: true })
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, '/admin')
    const title = rows(page, 'Courses').filter({ hasText: 'Cinematography Masterclass' }).locator('bdi').first()
    const lines = await title.evaluate((element) => {
      const { height } = element.getBoundingClientRect()
      return Math.round(height / Number.parseFloat(getComputedStyle(element).lineHeight))
    })
    expect(lines).toBe(2)
    expect(await title.evaluate((element) => element.scrollHeight - element.clientHeight), 'none of it cut').toBe(0)
    const strip = tab(page, 'Courses').locator('xpath=ancestor::div[2]')
    const fade = () => strip.evaluate((element) => getComputedStyle(element, '::after').backgroundImage)
    expect(await fade()).toContain('linear-gradient')
    await strip.evaluate((element) => element.scrollTo(element.scrollWidth, 0))
    const last = page.getByRole('navigation', { name: 'More' }).getByRole('link').last()
    const box = await last.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0), 'the last one is clear of it').toBeLessThan(390 - 16 - 40)
    await tab(page, 'Courses').focus()
    for (const name of ['Waitlist', 'Recommendations', 'Inquiries']) {
      await page.keyboard.press('ArrowRight')
      await expect(tab(page, name)).toBeFocused()
      const ring = await tab(page, name).boundingBox()
      expect(ring?.x, `${name}: none of its ring is cut`).toBeGreaterThanOrEqual(8)
      expect((ring?.x ?? 0) + (ring?.width ?? 0), `${name}: nor fades`).toBeLessThanOrEqual(390 - 16 - 56)
    }
  })

  for (const [size, width, height] of [
    ['a desk', 1440, 900],
    ['a phone', 390, 844],
  ] as const)
    test(`get a picture that is brought along, at ${size}`, async ({ page, server, signIn, watch }) => {
      watch.allow(/400 \(Bad Request\).*\/picture\//)
      await page.setViewportSize({ width, height })
      await signIn({ admin: true })
      await open(page, '/admin')
      await page.getByRole('button', { name: 'Add Course' }).click()
      const form = page.getByRole('form', { name: 'Add Course' })
      const upload = form.getByRole('button', { name: 'Upload a picture' })
      const bring = async (name: string, mimeType: string, buffer: Buffer) => {
        const chooser = page.waitForEvent('filechooser')
        await upload.focus()
        await page.keyboard.press('Enter')
        await (await chooser).setFiles({ name, mimeType, buffer })
      }
      await bring('notes.txt', 'text/plain', Buffer.from('notes'))
      await expect(form.getByRole('alert')).toHaveText('Please choose a JPEG, PNG, WebP or GIF picture.')
      await bring('huge.png', 'image/png', Buffer.alloc(10 * 1024 * 1024 + 1))
      await expect(form.getByRole('alert')).toHaveText(
        'This picture is larger than 10 MB. Please choose a smaller one.',
      )
      await bring('drawing.png', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
      await expect(form.getByRole('alert')).toHaveText(
        "We can't read this file as a picture. Use a JPEG, PNG, WebP or GIF.",
      )

      const picture = Buffer.from(await (await fetch(`${server.url}/art/ai-tools.webp`)).arrayBuffer())
      await page.route('**/storage/v1/picture/artwork', () => {}) // it never gets there
      await bring('still.webp', 'image/webp', picture)
      await expect(form.getByRole('progressbar', { name: 'Upload of the picture' })).toBeVisible()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Cancel the upload' }).focus()
      await page.keyboard.press('Enter')
      await expect(form.getByRole('progressbar')).toHaveCount(0)
      await expect(upload).toBeFocused()
      await expect(form.getByRole('alert')).toHaveCount(0)
      await bring('still.webp', 'image/webp', picture)
      await form.getByRole('button', { name: 'Save Course' }).click()
      await expectToast(page, 'The picture is still uploading.')
      await expect(form.getByText('Required')).toHaveCount(0)
      await form.getByRole('button', { name: 'Cancel the upload' }).click()
      await page.unroute('**/storage/v1/picture/artwork')

      await bring('still.webp', 'image/webp', picture)
      await expect(form.getByText('Picture uploaded. Save the course to use it.')).toBeVisible()
      const thumbnail = form.getByLabel('Thumbnail')
      await expect(thumbnail).toHaveValue(/^\/storage\/v1\/object\/public\/artwork\/courses\/[0-9a-f-]{36}\/1280\.jpg$/)
      const preview = form.getByRole('img', { name: 'Thumbnail preview' })
      await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280)
      await expectAccessible(page)
      const address = await thumbnail.inputValue()
      const stored = await fetch(server.url + address)
      expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      const title = unique('Light')
      await form.getByLabel('Title').fill(title)
      await form.getByLabel('Instructor').fill('Ada')
      await form.getByLabel('Duration').fill('4 weeks')
      await form.getByLabel('Description').fill('Light.')
      await form.getByRole('button', { name: 'Save Course' }).click()
      await expectToast(page, 'Course added successfully')
      await expect(form.getByText('Picture uploaded. Save the course to use it.')).toHaveCount(0)
      // Other tests count the courses.
      await call(server, 'DELETE', `courses?title=eq.${encodeURIComponent(title)}`, { token: await adminOf(server) })
    })

  test('are added, changed in place and deleted', async ({ page, server, signIn }) => {
    await signIn({ admin: true })
    const title = unique('Stage Combat')
    await open(page, '/admin')
    const before = await known(page, 'Courses')
    await page.getByRole('button', { name: 'Add Course' }).click()
    const form = page.getByRole('form', { name: 'Add Course' })
    await expect(form.getByLabel('Category')).toHaveValue('Creator Economy')
    await expect(form.getByLabel('Level')).toHaveValue('Beginner')
    await expect(form.getByLabel('Rating')).toHaveValue('4.5')
    await expect(form.getByLabel('Lessons')).toHaveValue('0')

    await form.getByRole('button', { name: 'Save Course' }).click()
    await expectToast(page, 'Please fill in all required fields')
    for (const label of ['Title', 'Instructor', 'Duration', 'Thumbnail', 'Description'])
      await expect(form.getByLabel(label, { exact: true })).toHaveAccessibleDescription('Required')

    await form.getByLabel('Title').fill(title)
    await form.getByLabel('Instructor').fill('Kate O’Hara')
    await form.getByLabel('Duration').fill('4 weeks')
    await form.getByLabel('Thumbnail').fill('/icon.svg')
    await form.getByLabel('Description').fill('Falls and rolls.')
    await expect(form.getByRole('img', { name: 'Thumbnail preview' })).toBeVisible()
    for (const [rating, text] of [
      ['5.1', 'Rating must be a number from 0 to 5'],
      ['4.55', 'Rating goes in steps of 0.1'],
    ] as const) {
      await form.getByLabel('Rating').fill(rating)
      await form.getByRole('button', { name: 'Save Course' }).click()
      await expectToast(page, text)
    }
    await form.getByLabel('Rating').fill('4.6')
    await form.getByText('The course page').click()
    await form.getByLabel('What you will learn').fill('Fall\nRoll')
    await form.getByRole('button', { name: 'Save Course' }).click()
    await expectToast(page, 'Course added successfully')
    await expect(form.getByLabel('Title')).toHaveValue('')
    await expect(form.getByLabel('Rating')).toHaveValue('4.5')
    await expect(tab(page, 'Courses')).toHaveText(`Courses(${before + 1})`)
    await expect(rows(page, 'Courses').first()).toContainText(title)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(form).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Add Course' })).toBeVisible()

    // A learner sees it at once.
    const learner = await fetch(
      `${server.url}/rest/v1/courses?select=rating,learn,outcome&title=eq.${encodeURIComponent(title)}`,
      {
        headers: { apikey: server.apiKey },
      },
    )
    expect(await learner.json()).toEqual([{ rating: 4.6, learn: 'Fall\nRoll', outcome: '' }])

    await rows(page, 'Courses').first().locator('[data-row]').click()
    const edit = page.getByRole('form', { name: `Edit ${title}` })
    await expect(edit.getByLabel('Title')).toHaveValue(title)
    await edit.getByLabel('Rating').fill('4.9')
    await edit.getByLabel('Coming soon').check()
    await edit.getByLabel(/^Launch date/).fill('2027-01-31T18:00')
    await edit.getByRole('button', { name: 'Save Changes' }).click()
    await expectToast(page, 'Course updated successfully')
    await expect(rows(page, 'Courses').first()).toContainText('Coming soon')
    await expect(rows(page, 'Courses').first()).toContainText('4.9')

    await rows(page, 'Courses').first().locator('[data-row]').click()
    await expect(edit.getByLabel(/^Launch date/)).toHaveValue('2027-01-31T18:00')
    await edit.getByLabel('Coming soon').uncheck()
    await expect(edit.getByText('Saving tells everybody on its waitlist that the course is out.')).toBeVisible()
    await edit.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()

    const remove = page.getByRole('button', { name: `Delete ${title}` })
    await remove.click()
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this course?' })
    await expect(question).toBeVisible()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(rows(page, 'Courses').first()).toContainText(title)
    await remove.click()
    await question.getByRole('button', { name: 'Delete Course' }).click()
    await expectToast(page, 'Course deleted successfully')
    await expect(tab(page, 'Courses')).toHaveText(`Courses(${before})`)
    await expect(page.getByText(title)).toHaveCount(0)
  })

  test('are not lost half-written without a question', async ({ page, signIn }) => {
    await signIn({ admin: true })
    await open(page, '/admin?tab=inquiries')
    await tab(page, 'Courses').click()
    const add = page.getByRole('button', { name: 'Add Course' })
    const form = page.getByRole('form', { name: 'Add Course' })
    const question = page.getByRole('alertdialog', { name: 'Discard this course?' })
    const title = form.getByLabel('Title')
    const keep = async () => {
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await expect(question).toHaveCount(0)
      await expect(title).toHaveValue('Half')
      await expect(page).toHaveURL(/\/admin/)
    }
    await add.click()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toHaveCount(0) // nothing was written
    await add.click()
    await title.fill('Half')
    for (const leave of [
      form.getByRole('button', { name: 'Cancel' }),
      page.getByRole('button', { name: 'Close', exact: true }),
      tab(page, 'Inquiries'),
      page.getByRole('link', { name: 'Audit trail' }),
      page.getByRole('banner').getByRole('link', { name: 'Greenroom' }).first(),
    ]) {
      await leave.click()
      await expect(question).toBeVisible()
      await keep()
      await expect(leave).toBeFocused()
    }
    await expectAccessible(page)
    await page.evaluate(() => history.back())
    await expect(question).toBeVisible()
    await keep()
    await expect(page).not.toHaveURL(/tab=inquiries/)

    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => location.reload()))
    const browser = await asked
    expect(browser.type()).toBe('beforeunload')
    await browser.dismiss()
    await expect(title).toHaveValue('Half')

    await page.evaluate(() => history.back())
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL(/tab=inquiries/)
    await page.goForward()
    await expect(add).toBeVisible()
    await add.click()
    await title.fill('Half')
    await tab(page, 'Inquiries').click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL(/tab=inquiries/)
    await page.goBack()
    await expect(add).toBeVisible()

    const edit = page.getByRole('form', { name: /^Edit/ })
    const line = (index: number) => page.locator(`[data-index="${index}"] [data-row]`)
    await line(0).click()
    await edit.getByLabel('Title').fill('Half')
    const search = page.getByLabel('Search the courses')
    await search.fill('tape')
    await expect(page.getByText('Save or close the open course to search.')).toBeVisible()
    await expect(edit.getByLabel('Title')).toHaveValue('Half')
    await search.fill('')
    await line(1).click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(edit.getByLabel('Title')).toHaveValue('Half')
    await edit.getByRole('button', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(edit).toHaveCount(0)
    await expect(line(0)).toBeFocused()
    await search.fill('self-tape')
    await expect(page.getByText(/^\d+ match(es)?$/)).toBeVisible()
    await search.fill('')

    await page.getByRole('link', { name: 'Workshop', exact: true }).click()
    await page.getByRole('form', { name: 'Workshop' }).getByLabel('Host').fill('Half')
    await tab(page, 'Courses').click()
    await page
      .getByRole('alertdialog', { name: 'Discard these changes?' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await expect(add).toBeVisible()
  })

  test('keep the place and the focus of who saves and deletes', async ({ page, ownServer, signIn }) => {
    await signIn({ admin: true, on: ownServer })
    await open(page, `${ownServer.url}/admin`)
    const line = (index: number) => page.locator(`[data-index="${index}"] [data-row]`)
    await expect(line(9)).toBeAttached()
    await line(9).focus()
    await page.keyboard.press('Enter')
    const edit = page.getByRole('form', { name: /^Edit/ })
    await edit.getByLabel('Rating').fill('3.3')
    await edit.getByRole('button', { name: 'Save Changes' }).press('Enter')
    await expectToast(page, 'Course updated successfully')
    await expect(line(9)).toBeFocused()
    await expect(line(9)).toBeInViewport({ ratio: 1 })
    await expect(line(9)).toContainText('3.3')

    await line(5).focus()
    await page.keyboard.press('Enter')
    await edit.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect(line(5)).toBeFocused()

    const next = await line(10).locator('bdi').first().textContent()
    await page
      .locator('[data-index="9"]')
      .getByRole('button', { name: /^Delete/ })
      .press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Course' }).press('Enter')
    await expectToast(page, 'Course deleted successfully')
    await expect(line(9)).toBeFocused()
    await expect(line(9)).toContainText(next ?? '')

    // The last of a list passes it to the one before.
    await page.getByRole('searchbox', { name: 'Search the courses' }).fill('ai tools')
    const bins = page.getByRole('button', { name: /^Delete/ })
    await expect(bins).toHaveCount(4)
    await bins.last().press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Course' }).press('Enter')
    await expect(bins).toHaveCount(3)
    await expect(line(2)).toBeFocused()
  })

  test('are searched within the tab', async ({ page, signIn }) => {
    await signIn({ admin: true })
    await open(page, '/admin')
    await expect(rows(page, 'Courses').first()).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search the courses' }).fill('documentary film')
    await expect(rows(page, 'Courses')).toHaveCount(1)
    await expect(page).toHaveURL('/admin?q=documentary%20film')
    await page.reload()
    await expect(rows(page, 'Courses')).toHaveCount(1)
    await page.getByRole('searchbox', { name: 'Search the courses' }).fill('no such thing %_*')
    await expect(page.getByText('No course matches “no such thing %_*”.')).toBeVisible()
  })

  test('that cannot be loaded say so and can be asked for again', async ({ page, signIn, watch }) => {
    await signIn({ admin: true })
    watch.allow(/400|Failed to load resource|could not be/)
    const list = '**/rest/v1/courses?*order=created_at*'
    await page.route(list, (route) => route.fulfill({ status: 400, json: { code: 'X', message: 'no' } }))
    await open(page, '/admin')
    await expectToast(page, 'Failed to load courses')
    await expect(page.getByText('The courses could not be loaded')).toBeVisible()
    await page.unroute(list)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page, 'Courses').first()).toBeVisible()
  })

  test('can be walked through by keyboard', async ({ page, signIn }) => {
    await signIn({ admin: true })
    await open(page, '/admin')
    await expect(rows(page, 'Courses').first()).toBeVisible()
    const line = (index: number) => page.locator(`[data-index="${index}"] [data-row]`)
    await line(0).focus()
    await page.keyboard.press('ArrowDown')
    await expect(line(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(line(1)).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowUp')
    await expect(line(0)).toBeFocused()
    await tab(page, 'Courses').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, 'Waitlist')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/admin?tab=waitlist')
  })
})

test.describe('the lists of what people sent', () => {
  test('show each message whole, newest first, and can be filtered @both', async ({ page, server, signIn }) => {
    const boss = await signIn({ admin: true })
    const text = ofLength(5000)
    const [first, second] = [unique('First'), unique('Second')]
    await insert(server, 'course_recommendations', recommendation(boss, first, `${worldly}\n${hostile}`), boss)
    await insert(server, 'course_recommendations', recommendation(boss, second), boss)
    await insert(server, 'course_recommendations', help(boss, hostile, text), boss)
    await open(page, '/admin?tab=recommendations')
    await expect(rows(page, 'Recommendations').nth(0)).toContainText(second)
    await expect(rows(page, 'Recommendations').nth(1)).toContainText(first)
    await rows(page, 'Recommendations').nth(1).locator('[data-row]').click()
    const whole = rows(page, 'Recommendations').nth(1).locator('p')
    expect(await whole.evaluate((element) => element.textContent)).toBe(`${worldly}\n${hostile}`)
    const reply = page.getByRole('link', { name: 'Reply by email' })
    await expect(reply).toHaveAttribute('href', `mailto:${boss.email}?subject=${encodeURIComponent(`Re: ${first}`)}`)
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Search the recommendations' }).fill(second)
    await expect(rows(page, 'Recommendations')).toHaveCount(1)

    await tab(page, 'Inquiries').click()
    await expect(page).toHaveURL('/admin?tab=inquiries')
    const inquiry = rows(page, 'Inquiries').first()
    await expect(inquiry).toContainText(hostile)
    await inquiry.locator('[data-row]').click()
    expect(await inquiry.locator('p').evaluate((element) => element.textContent)).toBe(text)
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Investor')
    await expect(page).toHaveURL('/admin?tab=inquiries&kind=investor')
    await expect(page.getByText(hostile)).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Help')
    await expect(inquiry).toContainText(hostile)

    const before = await known(page, 'Inquiries')
    await inquiry.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Entry deleted successfully')
    await expect(tab(page, 'Inquiries')).toHaveText(`Inquiries(${before - 1})`)
  })

  test('count and show the waitlist, by course and by text', async ({ page, server, signIn }) => {
    const boss = await signIn({ admin: true })
    const guest = `${unique('guest').replace(' ', '-')}@example.com`
    await insert(server, 'course_waitlist', { name: worldly, email: guest, course_title: workshop })
    await insert(
      server,
      'course_waitlist',
      { user_id: boss.id, email: boss.email, course_title: 'Documentary Filmmaking' },
      boss,
    )
    await open(page, '/admin?tab=waitlist')
    await expect(rows(page, 'Waitlist').first()).toContainText('Documentary Filmmaking')
    await expect(rows(page, 'Waitlist').nth(1)).toContainText(worldly)
    await page.getByRole('combobox', { name: 'Course' }).fill('Documentary Filmmaking')
    await expect(page).toHaveURL(/course=Documentary%20Filmmaking/)
    await expect(page.getByText(guest)).toHaveCount(0)
    await page.getByRole('button', { name: /show all courses/ }).click()
    await page.getByRole('searchbox', { name: 'Search the waitlist' }).fill(guest)
    await expect(rows(page, 'Waitlist')).toHaveCount(1)
    await rows(page, 'Waitlist').first().locator('[data-row]').click()
    await expect(page.getByRole('link', { name: 'Reply by email' })).toHaveAttribute(
      'href',
      new RegExp(`^mailto:${guest}`),
    )
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })

  test('may be long: only what can be seen is in the page', async ({ page, server, signIn }) => {
    await signIn({ admin: true })
    const mark = unique('long').replace(' ', '-')
    const names = Array.from({ length: 260 }, (_, index) => `${mark} ${String(index).padStart(3, '0')}`)
    const guests = names.map((name, index) => ({ name, email: `${mark}-${index}@example.com`, course_title: workshop }))
    for (const from of [0, 100, 200]) await insert(server, 'course_waitlist', guests.slice(from, from + 100))
    await open(page, `/admin?tab=waitlist&q=${mark}`)
    const list = rows(page, 'Waitlist')
    await expect(list.first()).toBeVisible()
    const seen = new Set<string>()
    await expect(async () => {
      await page.mouse.wheel(0, 700)
      const shown = await list.locator('[data-row]').allTextContents()
      expect(shown.length).toBeLessThan(60)
      for (const text of shown) seen.add(text.match(/long-\w+ \d{3}/)?.[0] ?? '')
      expect(seen.size).toBe(260)
    }).toPass({ intervals: [50], timeout: 30_000 })
    expect([...seen].sort()).toEqual(names)
  })

  test('that cannot be loaded are logged, without a toast', async ({ page, signIn, watch }) => {
    await signIn({ admin: true })
    watch.allow(/400|Failed to load resource|could not be/)
    await page.route('**/rest/v1/course_*', (route) =>
      route.fulfill({ status: 400, json: { code: 'X', message: 'no' } }),
    )
    for (const [address, text] of [
      ['waitlist', 'The waitlist could not be loaded'],
      ['inquiries', 'The inquiries could not be loaded'],
    ] as const) {
      await open(page, `/admin?tab=${address}`)
      await expect(page.getByText(text)).toBeVisible()
      expect(watch.lines.join('\n')).toContain(`${text}.`)
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
    }
  })
})

test.describe('Export CSV', () => {
  /** A small reader of RFC 4180. */
  function parse(text: string): string[][] {
    const lines: string[][] = [[]]
    let cell = ''
    let quoted = false
    for (let at = 0; at < text.length; at++) {
      const c = text[at]
      if (quoted && c === '"' && text[at + 1] === '"') {
        cell += '"'
        at++
      } else if (c === '"') quoted = !quoted
      else if (!quoted && c === ',') {
        lines.at(-1)?.push(cell)
        cell = ''
      } else if (!quoted && c === '\n') {
        lines.at(-1)?.push(cell.replace(/\r$/, ''))
        lines.push([])
        cell = ''
      } else cell += c
    }
    return lines.filter((line) => line.length > 0)
  }

  async function exported(page: Page) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    await expectToast(page, 'Data exported successfully')
    return { name: download.suggestedFilename(), text: (await readFile(await download.path())).toString('utf8') }
  }

  test('saves all rows of each tab, as they went in @both', async ({ page, server, signIn }) => {
    const boss = await signIn({ admin: true })
    const text = ofLength(5000)
    await insert(server, 'course_recommendations', recommendation(boss, '=1+1', `${worldly}\n${hostile}`), boss)
    await insert(server, 'course_recommendations', help(boss, hostile, text), boss)
    await insert(server, 'course_waitlist', {
      name: '@sum(a1)',
      email: `g${Math.random()}@example.com`,
      course_title: workshop,
    })
    const today = new Date().toISOString().slice(0, 10)
    for (const name of ['courses', 'waitlist', 'recommendations', 'inquiries'] as const) {
      await open(page, `/admin?tab=${name}`)
      const all = await known(page, `${name[0]?.toUpperCase()}${name.slice(1)}`)
      const file = await exported(page)
      expect(file.name).toBe(`${name}-${today}.csv`)
      expect(file.text.startsWith('\ufeff')).toBe(true)
      const [header, ...lines] = parse(file.text.slice(1))
      expect(lines).toHaveLength(all)
      const cell = (column: string) => lines[0]?.[header?.indexOf(column) ?? -1]
      if (name === 'recommendations') {
        expect(cell('course_title')).toBe("'=1+1")
        expect(cell('course_description')).toBe(`${worldly}\n${hostile}`)
      }
      if (name === 'inquiries') expect(cell('course_description')).toBe(`Name: Ada\nMessage: ${text}`)
      if (name === 'waitlist') expect(cell('name')).toBe("'@sum(a1)")
    }
  })

  test('says when there is nothing', async ({ page, signIn }) => {
    await signIn({ admin: true })
    await page.route('**/rest/v1/course_recommendations?*kind=eq.recommendation*', (route) =>
      route.fulfill({ status: 200, json: [], headers: { 'Content-Range': '*/0' } }),
    )
    await open(page, '/admin?tab=recommendations')
    await expect(page.getByText('No recommendations yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await expectToast(page, 'No data to export')
  })
})

test.describe('how the house runs', () => {
  test('the workshop is changed, and who is deleted makes room for who waits', async ({
    page,
    ownServer,
    signIn,
    watch,
  }) => {
    await signIn({ admin: true, on: ownServer })
    watch.allow(/400 \(Bad Request\).*workshops/)
    const guests = Array.from({ length: 14 }, (_, index) => `${unique(`seat${index}`).replace(' ', '-')}@example.com`)
    for (const email of guests)
      await insert(ownServer, 'course_waitlist', { name: email, email, course_title: workshop })
    await open(page, `${ownServer.url}/admin?tab=workshop`)
    const form = page.getByRole('form', { name: 'Workshop' })
    await expect(form.getByLabel('Title')).toHaveValue(workshop)
    const spots = Number(await form.getByLabel('Spots').inputValue())
    await expect(page.getByRole('button', { name: `Confirmed (${spots} of ${spots})` })).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Waiting', exact: true }).click()
    const next = rows(page, 'Waiting').first()
    await expect(next).toContainText('Waiting')
    const promoted = (await next.locator('bdi').first().textContent()) ?? ''
    await page.getByRole('button', { name: /^Confirmed/ }).click()
    await rows(page, 'Confirmed').first().locator('[data-row]').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Entry deleted successfully')
    await expect(rows(page, 'Confirmed').filter({ hasText: promoted })).toHaveCount(1)

    await form.getByLabel('Spots').fill('1')
    await form.getByRole('button', { name: 'Save Workshop' }).click()
    await expect(page.locator('[data-sonner-toast]').getByText(/cannot have fewer/)).toBeVisible()
    await form.getByLabel('Spots').fill(String(spots + 1))
    await form.getByRole('button', { name: 'Save Workshop' }).click()
    await expectToast(page, 'Workshop updated successfully')
    await expect(page.getByRole('button', { name: `Confirmed (${spots + 1} of ${spots + 1})` })).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })

  test('the audit trail names who did what', async ({ page, server, signIn }) => {
    const boss = await signIn({ admin: true })
    const title = unique('Audited')
    const course = {
      title,
      instructor: 'Ada',
      duration: '1 week',
      category: 'AI Tools',
      thumbnail: '/icon.svg',
      description: 'x',
      lessons: 1,
      level: 'Beginner',
      rating: 4,
    }
    await insert(server, 'courses', course, boss)
    await open(page, '/admin')
    await page.getByRole('button', { name: `Delete ${title}` }).click()
    await page.getByRole('button', { name: 'Delete Course' }).click()
    await expectToast(page, 'Course deleted successfully')
    await page.getByRole('link', { name: 'Audit trail' }).click()
    await expect(rows(page, 'Audit trail').nth(0)).toContainText('Deleted a course')
    await expect(rows(page, 'Audit trail').nth(0)).toContainText(title)
    await expect(rows(page, 'Audit trail').nth(0)).toContainText(boss.email)
    await expect(rows(page, 'Audit trail').nth(1)).toContainText('Added a course')
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Show' }).selectOption('All activity, including sign-ins')
    await expect(page.getByText('Signed up').first()).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })

  test('the mail shows what was sent', async ({ page, server, signIn }) => {
    await signIn({ admin: true })
    const guest = `${unique('letter').replace(' ', '-')}@example.com`
    await insert(server, 'course_waitlist', { name: 'Guest', email: guest, course_title: workshop })
    await open(page, '/admin?tab=mail')
    const letter = rows(page, 'Emails').filter({ hasText: guest })
    await expect(letter).toContainText('Sent')
    await letter.locator('[data-row]').click()
    await expect(letter.getByText('Tries')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Failed/ }).click()
    await expect(page).toHaveURL('/admin?tab=mail&state=failed')
    await expect(page.getByText('No emails with this status.')).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })
})

test('a letter that was refused says why, and is sent again', async ({ page }) => {
  const post = await startPost()
  const own = await startServer('sqlite', { GREENROOM_SMTP_URL: post.url })
  try {
    post.refuse('550 5.1.1 No such mailbox here')
    const guest = 'refused@example.com'
    await insert(own, 'course_waitlist', { name: 'Guest', email: guest, course_title: workshop })
    const credentials = { email: 'boss@example.com', password: 'a very long velvet curtain' }
    const signUp = await page.request.post(`${own.url}/auth/v1/signup`, {
      headers: { apikey: own.apiKey },
      data: credentials,
    })
    await own.command('admin', 'grant', '--unproven', credentials.email)
    await page.goto(`${own.url}/robots.txt`)
    await page.evaluate((session) => localStorage.setItem('sb-greenroom-auth-token', session), await signUp.text())
    await open(page, `${own.url}/admin`)
    await expect(page.getByRole('link', { name: 'Mail 1 failed' })).toBeVisible()
    await page.getByRole('link', { name: 'Mail 1 failed' }).click()
    const letter = rows(page, 'Emails').filter({ hasText: guest })
    await expect(letter).toContainText('Failed')
    await letter.locator('[data-row]').click()
    await expect(letter.getByText('What the mail server said')).toBeVisible()
    await expect(letter.locator('dd').last()).toContainText('No such mailbox here')
    await expectAccessible(page)
    post.refuse('')
    await letter.getByRole('button', { name: 'Resend' }).click()
    await expectToast(page, 'Email queued to send again')
    await expect(letter).toContainText('Sent')
    expect(post.letters.join()).toContain(guest)
    await page.getByRole('link', { name: 'Audit trail' }).click()
    await expect(rows(page, 'Audit trail').first()).toContainText('Resent an email')
  } finally {
    await own.stop()
    post.close()
  }
})
