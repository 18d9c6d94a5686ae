import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { Line } from './fixtures/line'
import { type Cue, type Reel, reel } from './fixtures/reel'
import { School } from './fixtures/school'
import { type Server, startServer } from './fixtures/server'
import { enroll } from './fixtures/taught'
import { expect, expectAccessible, open, test } from './fixtures/test'

// From a camera's file to the eyes of a learner. `make test-film` does it with two minutes.
const length = Number(process.env.FILM_SECONDS ?? 22)
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const
const speeds = [
  { rate: 0.5, entry: '0.5×' },
  { rate: 1, entry: 'Normal' },
  { rate: 2, entry: '2×' },
] as const

/** Keeps a picture for whoever wants to look. */
const look = async (page: Page, name: string) => {
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `${name}.png`) })
}

const lookAtBoth = async (page: Page, name: string) => {
  for (const size of [...sizes].reverse()) {
    await page.setViewportSize(size)
    await page.evaluate(() => scrollTo(0, 0))
    await look(page, `${name}-${size.width}`)
  }
}

/** Uploads through a line that breaks twice in the middle of a piece. */
async function upload(page: Page, line: Line, film: string) {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/upload/resumable')) asked.push(request.method())
  })
  const chosen = page.getByLabel('Video file')
  await lookAtBoth(page, '1-empty')
  let cut = line.cutAfter(8_000_000)
  await chosen.setInputFiles(film)
  await cut
  await expect(page.getByText('Waiting for the network.')).toBeVisible()
  await lookAtBoth(page, '2-cut')
  await expectAccessible(page)
  cut = line.cutAfter(5_000_000)
  line.mend()
  await cut
  await expect(page.getByText('Waiting for the network.')).toBeVisible()
  line.mend()
  await expect(page.getByRole('button', { name: 'Replace' })).toBeVisible()
  expect(asked.filter((method) => method === 'POST')).toHaveLength(1)
  expect(asked.filter((method) => method === 'HEAD').length).toBeGreaterThanOrEqual(2)
}

const video = (page: Page) =>
  page.evaluate(() => {
    const film = document.querySelector('video') as HTMLVideoElement & { webkitAudioDecodedByteCount: number }
    return { time: film.currentTime, rate: film.playbackRate, audio: film.webkitAudioDecodedByteCount }
  })

const choose = async (page: Page, menu: string, entry: string) => {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitemradio', { name: entry, exact: true }).click()
}

const caption = (page: Page) => page.locator('.player-captions')

/** Presses the line of the film where a moment is. */
async function seek(page: Page, to: number) {
  const line = page.getByRole('slider', { name: 'Position' })
  const box = await line.boundingBox()
  const end = Number(await line.getAttribute('max'))
  if (!box) throw new Error('there is nothing to press')
  const handle = 16
  const x = handle / 2 + ((box.width - handle) * to) / end
  await line.click({ position: { x, y: box.height / 2 } })
}

/** Watches from one caption over to the next. */
async function watchOver(page: Page, [first, second]: readonly [Cue, Cue], rate: number, name: string) {
  await seek(page, (first.from + first.to) / 2)
  await expect(caption(page)).toHaveText(first.text.replaceAll('\n', ' '), { useInnerText: true })
  const { audio } = await video(page)
  await page.keyboard.press('k')
  await expect(caption(page)).toHaveText(second.text.replaceAll('\n', ' '), { useInnerText: true })
  await page.keyboard.press('k')
  const now = await video(page)
  expect(now.rate).toBe(rate)
  expect(now.time).toBeGreaterThanOrEqual(second.from)
  expect(now.audio, 'decoded audio').toBeGreaterThan(audio)
  await look(page, name)
}

/** Pairs of captions of which one follows the other at once, spread over the film, and not below the handle where it stands. */
function pairs({ cues, seconds }: Reel): (readonly [Cue, Cue])[] {
  const all = cues.flatMap((cue, i) => {
    const next = cues[i + 1]
    return next && next.from - cue.to < 1.5 && cue.from > seconds / 20 ? [[cue, next] as const] : []
  })
  return speeds.map((_, i) => all[Math.floor((i * (all.length - 1)) / (speeds.length - 1))] as readonly [Cue, Cue])
}

test('a film comes through a line that is cut twice, is prepared, and is watched with captions at three speeds', async ({
  page,
  database,
  signIn,
  watch,
}) => {
  test.setTimeout(1_500_000)
  page.setDefaultTimeout(60_000)
  watch.allow(/ERR_(FAILED|CONNECTION|EMPTY|SOCKET|INTERNET)|dynamically imported/)
  const line = await Line.open()
  const behind = await startServer(database, { GREENROOM_SITE_URL: line.url })
  line.to(behind.url)
  const server: Server = { ...behind, url: line.url }
  const school = await School.open(server)
  const made = await reel(server.data, length)
  const lesson = await school.lesson(await school.section('Light'), 'Two lamps and a bedsheet', 'video')

  await signIn({ admin: true, on: server })
  await open(page, `${server.url}/teach/${school.course}?lesson=${lesson}`)
  await upload(page, line, made.film)
  await expect(page.getByRole('progressbar')).toBeVisible()
  await lookAtBoth(page, '3-prepared')
  await expectAccessible(page)
  await page.getByLabel('Captions file').setInputFiles(made.captions)
  await page.getByRole('button', { name: 'Save Captions' }).click()
  await expect(page.getByRole('button', { name: 'Edit English' })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 1_200_000 })
  await expect(page.getByRole('button', { name: 'Play Video' })).toBeVisible()
  await lookAtBoth(page, '4-ready')
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published', { exact: true })).toBeVisible()

  const learner = await signIn({ on: server })
  await enroll(server, school.course, learner)
  for (const size of sizes) {
    await page.setViewportSize(size)
    const answer = await page.goto(`${server.url}/learn/${school.course}/${lesson}`)
    expect(await answer?.text()).not.toContain('This video is being prepared')
    await look(page, `5-before-${size.width}`)
    await page.getByRole('button', { name: /^Play Two lamps/ }).click()
    await expect.poll(async () => (await video(page)).time).toBeGreaterThan(0.2)
    await page.keyboard.press('k')
    const length = await page.evaluate(() => document.querySelector('video')?.duration ?? 0)
    expect(Math.abs(length - made.seconds)).toBeLessThan(1)
    if (size === sizes[0]) await choose(page, 'Captions', 'English')
    for (const [i, cues] of pairs(made).entries()) {
      const { rate, entry } = speeds[i] ?? speeds[0]
      await choose(page, 'Speed', entry)
      await watchOver(page, cues, rate, `6-at-${rate}-${size.width}`)
    }
    await page.getByRole('button', { name: 'Speed' }).click()
    await look(page, `7-speeds-${size.width}`)
    await page.keyboard.press('Escape')
    await expectAccessible(page)
  }

  await page.goto('about:blank')
  await behind.stop()
  await line.close()
})
