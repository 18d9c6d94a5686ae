import type { Page } from '@playwright/test'
import type { Server } from './fixtures/server'
import { close, enroll, type Taught, teach, trailer } from './fixtures/taught'
import { expect, expectAccessible, hydrated, signedInAs, test } from './fixtures/test'

// One course for all tests of a worker: its films take a while to prepare.
const taught = new Map<Server, Promise<Taught>>()
const courseOn = (server: Server) => {
  const known =
    taught.get(server) ??
    teach(server, [
      { title: 'The first take', kind: 'video', preview: true },
      { title: 'The second take', kind: 'video' },
    ])
  taught.set(server, known)
  return known
}

test.afterAll(() => close(taught))

type Film = { time: number; paused: boolean; rate: number; height: number; audio: number; lines: string[] }

/** What the film itself says, past its controls. */
const film = (page: Page): Promise<Film> =>
  page.evaluate(() => {
    const video = document.querySelector('video') as (HTMLVideoElement & { webkitAudioDecodedByteCount: number }) | null
    if (!video) return { time: 0, paused: true, rate: 0, height: 0, audio: 0, lines: [] }
    const cues = [...video.textTracks].flatMap(({ mode, activeCues }) =>
      mode === 'disabled' ? [] : [...(activeCues ?? [])],
    )
    return {
      time: video.currentTime,
      paused: video.paused,
      rate: video.playbackRate,
      height: video.videoHeight,
      audio: video.webkitAudioDecodedByteCount,
      lines: cues.map((cue) => (cue as VTTCue).text),
    }
  })

const path = (course: Taught, index = 0) => `/learn/${course.id}/${course.lessons[index]?.id}`
const player = (page: Page) => page.getByRole('region', { name: /^Video player/ })

async function openPlayer(page: Page, address: string) {
  await page.goto(address)
  await expect(player(page)).toBeVisible()
}

const start = (page: Page) => page.getByRole('button', { name: /^Play The/ }).click()

test('a film is heard and seen, sought in, sped up, captioned and sharpened @both', async ({
  page,
  server,
  signIn,
}) => {
  test.setTimeout(300_000)
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await openPlayer(page, path(course, 1))
  expect((await film(page)).paused, 'nothing plays by itself').toBe(true)
  await start(page)
  await expect.poll(async () => (await film(page)).time).toBeGreaterThan(0.5)
  expect((await film(page)).audio, 'decoded audio').toBeGreaterThan(0)

  await page.keyboard.press('k')
  await expect.poll(async () => (await film(page)).paused).toBe(true)
  await page.keyboard.press('5')
  await expect.poll(async () => (await film(page)).time).toBeGreaterThanOrEqual(5.9)
  const position = page.getByRole('slider', { name: 'Position' })
  await expect(position).toHaveAttribute('aria-valuetext', /^6 seconds of 12 seconds$/)

  await page.getByRole('button', { name: 'Speed' }).click()
  await page.getByRole('menuitemradio', { name: '2×' }).click()
  expect((await film(page)).rate).toBe(2)

  await page.getByRole('button', { name: 'Captions' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect.poll(async () => (await film(page)).lines).toEqual(['Then say it once, as if nobody had told you to.'])
  await expect(player(page).getByText('Then say it once')).toBeVisible()

  await page.getByRole('button', { name: 'Quality' }).click()
  await page.getByRole('menuitemradio', { name: '480p' }).click()
  await page.keyboard.press('0')
  await page.keyboard.press('k')
  await expect.poll(async () => (await film(page)).height).toBe(480)
  await expect.poll(async () => (await film(page)).time).toBeGreaterThan(1)

  await position.hover()
  await expect(page.locator('.player-tile')).toBeVisible()
  await page.keyboard.press('k')
  await expectAccessible(page)
})

test('it goes on in a second browser where the first one stopped, as fast and as captioned', async ({
  page,
  server,
  signIn,
  browser,
}) => {
  test.setTimeout(300_000)
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await openPlayer(page, path(course, 1))
  await start(page)
  // Of a film that nobody has seen anything of no place is kept.
  await expect.poll(async () => (await film(page)).time).toBeGreaterThan(0.3)
  await page.keyboard.press('>')
  await page.keyboard.press('c')
  await page.keyboard.press('k')
  await page.keyboard.press('7')
  await expect.poll(async () => (await progressOf(server, person.token))?.position_seconds).toBe(8)
  await expect(page.getByRole('button', { name: 'Captions' })).toHaveAttribute('data-on')

  const other = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const second = await other.newPage()
  await signedInAs(second, server, person)
  await openPlayer(second, server.url + path(course, 1))
  await expect.poll(async () => Math.round((await film(second)).time)).toBe(5)
  expect((await film(second)).rate).toBe(1.25)
  await expect(second.getByRole('button', { name: 'Captions' })).toHaveAttribute('data-on')
  await other.close()
})

const progressOf = async (server: Server, token: string) => {
  const answer = await fetch(`${server.url}/rest/v1/lesson_progress?select=*`, {
    headers: { apikey: server.apiKey, Authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { position_seconds: number; completed_at: string | null; covered: string }[])[0]
}

test('without a network for a while nothing is lost', async ({ page, server, signIn, context, watch }) => {
  test.setTimeout(300_000)
  watch.allow(/Failed to fetch|ERR_INTERNET_DISCONNECTED|Failed to load resource|preload/)
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await openPlayer(page, path(course, 1))
  await start(page)
  await expect.poll(async () => (await film(page)).time).toBeGreaterThan(0.3)
  // All twelve seconds are here before the network goes.
  await page.waitForFunction(() => {
    const { buffered, duration } = document.querySelector('video') as HTMLVideoElement
    return buffered.length > 0 && buffered.end(buffered.length - 1) >= duration - 0.5
  })
  await context.setOffline(true)
  await page.keyboard.press('>')
  await page.keyboard.press('k')
  await expect(page.getByText('You are offline. Your progress is kept and sent later.')).toBeVisible()
  await page.keyboard.press('k')
  await page.waitForFunction(() => document.querySelector('video')?.ended)
  await expectAccessible(page)
  await context.setOffline(false)
  await expect.poll(async () => (await progressOf(server, person.token))?.completed_at ?? null).not.toBeNull()
  await expect(page.getByText('You are offline.')).toBeHidden()
})

test('who signs out sees no more', async ({ page, server, signIn, watch }) => {
  test.setTimeout(300_000)
  watch.allow(/status of 40[0-9]/)
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await openPlayer(page, path(course, 1))
  const list = await page.evaluate(
    () => performance.getEntriesByType('resource').find(({ name }) => name.includes('.m3u8'))?.name,
  )
  expect(list).toBeTruthy()
  await fetch(`${server.url}/auth/v1/logout?scope=global`, {
    method: 'POST',
    headers: { apikey: server.apiKey, Authorization: `Bearer ${person.token}` },
  })
  await expect.poll(async () => (await fetch(list as string)).status).toBe(403)
  await page.reload()
  await expect(page.getByText('This lesson is for enrolled learners')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enroll for Free' })).toBeVisible()
  await expect(player(page)).toHaveCount(0)
  await expectAccessible(page)
})

test('all of it by keyboard: play, menus, the list of keys, the next lesson', async ({ page, server, signIn }) => {
  test.setTimeout(300_000)
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await openPlayer(page, path(course, 0))
  await page.keyboard.press(' ')
  await expect.poll(async () => (await film(page)).paused).toBe(false)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('m')
  expect(await page.evaluate(() => document.querySelector('video')?.muted)).toBe(true)
  await page.getByRole('button', { name: 'Speed' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await film(page)).rate).toBe(1.25)
  await expect(page.getByRole('button', { name: 'Speed' })).toBeFocused()
  await page.keyboard.press('9')
  await expect(page.getByRole('region', { name: 'Up next' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Up next' })).toHaveCount(0)
  await page.keyboard.press('n')
  await page.waitForURL(`**${path(course, 1)}`)
  await expect(page.getByRole('heading', { level: 1, name: 'The second take' })).toBeVisible()
})

test('after the end the next film begins by itself, unless somebody says no', async ({ page, server, signIn }) => {
  test.setTimeout(300_000)
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await openPlayer(page, path(course, 0))
  await start(page)
  await page.keyboard.press('9')
  await page.waitForURL(`**${path(course, 1)}`)
  await expect.poll(async () => (await film(page)).time).toBeGreaterThan(0.2)
  expect((await film(page)).paused).toBe(false)
})

test('a film that does not come says so, and can be tried again', async ({ page, server, signIn, watch }) => {
  test.setTimeout(300_000)
  watch.allow(/Failed to load resource|ERR_FAILED/)
  const course = await courseOn(server)
  const person = await signIn()
  await enroll(server, course.id, person)
  await page.route('**/media/**/*.m3u8', (route) => route.abort())
  await page.goto(path(course, 1))
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText('This video could not be played.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/media/**/*.m3u8')
  await again.click()
  await start(page)
  await expect.poll(async () => (await film(page)).time).toBeGreaterThan(0.3)
})

test('a stranger sees a preview, and its grant is renewed when it was taken back', async ({ page, server, watch }) => {
  test.setTimeout(300_000)
  watch.allow(/status of 403/)
  const course = await courseOn(server)
  let refused = 0
  // What is asked for while another grant is on its way stays half-loaded.
  const renewed = page.waitForResponse((answer) => answer.url().endsWith('/functions/v1/lesson') && refused > 0)
  await page.route('**/media/**/*.mp4', async (route) => {
    if (refused++ < 2) return route.fulfill({ status: 403 })
    await renewed
    // Requests that were given up meanwhile are not there any more.
    await route.continue().catch(() => undefined)
  })
  await page.goto(path(course, 0))
  await hydrated(page, '#root > *')
  await renewed
  await start(page)
  await expect.poll(async () => (await film(page)).time).toBeGreaterThan(0.5)
  await expect(page.getByRole('button', { name: 'Mark as complete' })).toHaveCount(0)
})

test('the trailer is watched on the page of its course', async ({ page, server }) => {
  test.setTimeout(300_000)
  const course = await courseOn(server)
  await trailer(server, course)
  await page.goto(`/course/${course.id}`)
  await hydrated(page)
  await page.getByRole('button', { name: 'Watch Trailer' }).click()
  await expect.poll(async () => (await film(page)).time).toBeGreaterThan(0.3)
  await page.keyboard.press('k')
  await expectAccessible(page)
})
