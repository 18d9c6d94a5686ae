// The contact sheet: every page at 1440 and 390 pixels, as a visitor, a learner or an admin sees it, and what opens or
// goes wrong on the way.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { call } from './fixtures/rest'
import { School } from './fixtures/school'
import { startServer } from './fixtures/server'
import { hydrated, test } from './fixtures/test'
import { codeOf } from './fixtures/totp'

const folder = process.env.SCREENS ?? 'screens'
const visitor = [
  'help-center',
  'contact',
  'investor-relations',
  'sponsorships',
  'privacy-policy',
  'terms-and-conditions',
  'auth',
  'trending',
  'search?q=film',
  'nowhere',
]
/** Whether what waits below the screen is there. */
const released = () =>
  [...document.images].every((image) => image.complete && image.naturalWidth > 0) &&
  [...document.querySelectorAll<HTMLElement>('.ahead')].every((part) => part.style.contentVisibility === 'visible')

const waysIn = { GREENROOM_EMAIL_SIGN_IN: 'on', GREENROOM_ANONYMOUS: 'on' }
const phone = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const

const learner = ['my-list', 'waitlist', 'account', 'settings', 'recommendations']

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  const size = { viewport: { width, height } }

  const keep = async (page: Page, name: string, fullPage = false) => {
    await page.waitForLoadState('networkidle')
    // Who is here is found out when the browser has time, and only then is asked for what is theirs.
    await expect(page.locator('.shimmer')).toHaveCount(0)
    if (fullPage) await page.waitForFunction(released)
    await page.screenshot({
      path: join(folder, `${name}-${width}.jpg`),
      type: 'jpeg',
      quality: fullPage ? 70 : 78,
      animations: 'disabled',
      fullPage,
    })
  }
  const take = async (page: Page, path: string, name: string) => {
    await page.goto(path)
    await hydrated(page)
    await keep(page, name)
  }

  test.describe(`at ${width}`, () => {
    test.use(size)
    test.beforeEach(({ watch }) => {
      test.setTimeout(300_000)
      watch.allow(/status of 4\d\d|404: there is no page/)
    })

    test('what a visitor sees', async ({ page, course }) => {
      const found = await course('Documentary Filmmaking')
      await take(page, '/', 'home')
      await take(page, `/course/${found.id}`, 'course')
      await keep(page, 'course-whole', true)
      for (const path of visitor) await take(page, `/${path}`, path.split('?')[0] ?? path)
      await take(page, '/search?q=zzz', 'search-empty')
      await take(page, `/course/${randomUUID()}`, 'course-unknown')
    })

    test('what opens', async ({ page, course }) => {
      await page.goto('/')
      await hydrated(page)
      await page.getByRole('button', { name: 'More Info' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await keep(page, 'workshop-info')
      await page.getByRole('dialog').getByRole('button', { name: 'Register Now' }).click()
      await expect(page.getByRole('dialog', { name: 'Register for the workshop' })).toBeVisible()
      await keep(page, 'workshop-register')
      await page.goto(`/course/${(await course('Documentary Filmmaking')).id}`)
      await hydrated(page)
      await page.getByRole('button', { name: 'Share', exact: true }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await keep(page, 'share')
      if (width >= 1024) return
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
      await keep(page, 'menu')
    })

    test('what a learner and an admin see', async ({ page, server, course, signIn }) => {
      const found = await course('Documentary Filmmaking')
      const person = await signIn({ email: `mara.lindqvist${width}@example.com`, admin: true })
      await new Promise((resolve) => setTimeout(resolve, 1100)) // a role that another process granted counts within a second
      await take(page, '/my-list', 'my-list-empty')
      await take(page, '/waitlist', 'waitlist-empty')
      const headers = { apikey: server.apiKey, Authorization: `Bearer ${person.token}` }
      await page.request.post('/rest/v1/saved_courses', { headers, data: { user_id: person.id, course_id: found.id } })
      await page.request.post('/rest/v1/course_waitlist', {
        headers,
        data: { user_id: person.id, course_title: found.title, email: person.email },
      })
      for (const path of [...learner, 'admin']) await take(page, `/${path}`, path)
      await page.route(/rest\/v1\/(course_waitlist|saved_courses)/, (route) =>
        route.fulfill({ status: 400, json: { message: 'no' } }),
      )
      await take(page, '/waitlist', 'waitlist-error')
      await take(page, '/my-list', 'my-list-error')
    })

    test('other ways in', async ({ page, context, signIn }) => {
      const server = await startServer('sqlite', waysIn, 'localhost')
      const devices = await context.newCDPSession(page)
      await devices.send('WebAuthn.enable')
      const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options: phone })
      try {
        await take(page, `${server.url}/auth`, 'auth-ways')
        const who = await signIn({ on: server, email: `mara.ways${width}@example.com` })
        await page.evaluate(() => localStorage.clear())
        await page.goto(`${server.url}/auth`)
        await hydrated(page)
        await page.getByLabel('Email').fill(who.email)
        await page.getByRole('button', { name: 'Email me a code' }).click()
        await expect(page.getByLabel('Code from your email')).toBeFocused()
        await keep(page, 'auth-code')
        await page.getByRole('link', { name: 'Back to sign in' }).click()
        await page.getByLabel('Password').fill(who.password)
        await page.getByRole('button', { name: 'Sign In', exact: true }).click()
        // On a phone it waits until its reader scrolls.
        await expect(async () => {
          await page.evaluate(() => scrollBy(0, 1))
          await expect(page.getByText('Next time without a password?')).toBeVisible({ timeout: 500 })
        }).toPass()
        await keep(page, 'passkey-offer')
        await page.getByRole('button', { name: 'Add a passkey' }).click()
        await expect(page.getByText('Next time without a password?')).toHaveCount(0)
        await page.goto(`${server.url}/settings`)
        await hydrated(page)
        await page.getByRole('button', { name: 'Add an authenticator app' }).click()
        await page.getByRole('button', { name: 'Continue without confirming' }).click()
        await page.getByRole('dialog').getByLabel('Name').press('Enter')
        const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
        await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: 'Get recovery codes' }).click()
        await expect(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible()
        await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
        await keep(page, 'recovery-codes')
        await page.getByRole('button', { name: 'I saved them' }).click()
        // The focus goes back to what opened the sheet, and takes the page along.
        await expect(page.getByRole('dialog')).toHaveCount(0)
        await page.evaluate(() => {
          ;(document.activeElement as HTMLElement | null)?.blur()
          scrollTo(0, 0)
        })
        await keep(page, 'settings-passkeys', true)
        await page.evaluate(() => localStorage.clear())
        // The device would answer for its owner by itself.
        await devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
        await page.goto(`${server.url}/auth`)
        await hydrated(page)
        await page.getByLabel('Email').fill(who.email)
        await page.getByLabel('Password').fill(who.password)
        await page.getByRole('button', { name: 'Sign In', exact: true }).click()
        await page.getByRole('button', { name: 'Use a recovery code' }).click()
        await keep(page, 'second-step-recovery')
        await page.evaluate(() => localStorage.clear())
        await page.goto(`${server.url}/auth`)
        await hydrated(page)
        await page.getByRole('button', { name: 'Continue as a guest' }).click()
        await expect(page).toHaveURL(`${server.url}/`)
        await take(page, `${server.url}/settings`, 'guest-settings')
        await take(page, `${server.url}/account`, 'guest-account')
      } finally {
        await page.goto('about:blank')
        await server.stop()
      }
    })

    test('a course that can be taken', async ({ page, signIn }) => {
      // Films that nobody prepares play as they are.
      const server = await startServer('sqlite', { GREENROOM_VIDEO_WORK: 'off' })
      try {
        await server.command('demo')
        const headers = { apikey: server.apiKey }
        const rows = async (path: string, token = server.apiKey) =>
          (
            await page.request.get(`${server.url}/rest/v1/${path}`, {
              headers: { ...headers, Authorization: `Bearer ${token}` },
            })
          ).json()
        const [{ course_id: course }] = await rows('course_offers?select=course_id')
        const lessons: { id: string; kind: string }[] = await rows(`lessons?course_id=eq.${course}&order=position`)
        const at = (index: number) => `${server.url}/learn/${course}/${lessons[index]?.id}`
        await take(page, `${server.url}/course/${course}`, 'course-open')
        await page.reload()
        await hydrated(page)
        await keep(page, 'course-open-whole', true)
        await take(page, at(2), 'lesson-locked')
        const person = await signIn({ on: server, email: `mara.learns${width}@example.com`, admin: true })
        await page.request.post(`${server.url}/rest/v1/enrollments`, {
          headers: { ...headers, Authorization: `Bearer ${person.token}` },
          data: { user_id: person.id, course_id: course },
        })
        await take(page, at(0), 'lesson-film')
        await take(page, at(2), 'lesson-text')
        await keep(page, 'lesson-text-whole', true)
        const quiz = lessons.findIndex(({ kind }) => kind === 'quiz')
        await take(page, at(quiz), 'lesson-quiz')
        const [asked]: { id: string; lesson_id: string }[] = await rows(
          `lesson_questions?course_id=eq.${course}`,
          person.token,
        )
        await take(page, `${server.url}/learn/${course}/${asked?.lesson_id}?question=${asked?.id}`, 'lesson-asked')
        await take(page, `${server.url}/learn`, 'my-learning')
        await take(page, `${server.url}/teach`, 'teach')
        await take(page, `${server.url}/teach/${course}`, 'teach-course')
        await take(page, `${server.url}/teach/${course}?lesson=${lessons[2]?.id}`, 'teach-lesson')
        await take(page, `${server.url}/teach/${course}?lesson=${lessons[quiz]?.id}`, 'teach-quiz')
        await take(page, `${server.url}/teach/${course}?tab=questions`, 'teach-questions')
        await take(page, `${server.url}/teach/${course}?tab=learners`, 'teach-learners')
        const school = await School.open(server)
        const named = { token: school.boss, body: { title: 'Breath and Voice' } }
        await call(server, 'PATCH', `courses?id=eq.${school.course}`, named)
        const lesson = await school.published(await school.section('One'), 'Where to stand')
        const ada = await signIn({ on: server, email: `ada.learns${width}@example.com` })
        const as = { headers: { ...headers, Authorization: `Bearer ${ada.token}` } }
        await page.request.put(`${server.url}/auth/v1/user`, { ...as, data: { data: { name: 'Zoë Łukasiewicz' } } })
        await page.request.post(`${server.url}/rest/v1/enrollments`, {
          ...as,
          data: { user_id: ada.id, course_id: school.course },
        })
        const done = await page.request.post(`${server.url}/functions/v1/save-progress`, {
          ...as,
          data: { lesson, complete: true },
        })
        await take(page, `${server.url}/certificate/${(await done.json()).certificate}`, 'certificate')
      } finally {
        await page.goto('about:blank')
        await server.stop()
      }
    })

    test('a new password', async ({ page, server, signIn, letterTo }) => {
      const { email } = await signIn({ email: `mara.${width}@example.com` })
      await page.evaluate(() => localStorage.clear())
      await page.request.post(
        `/auth/v1/recover?redirect_to=${encodeURIComponent(`${server.url}/auth/reset-password`)}`,
        {
          headers: { apikey: server.apiKey },
          data: { email },
        },
      )
      const link = (await letterTo(email)).links.find((address) => address.includes('/auth/v1/verify')) ?? ''
      await page.goto(link)
      await expect(page).toHaveURL(/reset-password$/)
      await hydrated(page)
      await keep(page, 'reset-password')
    })
  })
}
