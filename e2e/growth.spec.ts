import type { Page, Response } from '@playwright/test'
import { importCourses } from './fixtures/rest'
import { expect, hydrated, rendered, test } from './fixtures/test'

/** How many answers with data in them a page gets until it is quiet, its own markup first, and what they weigh. */
async function weigh(page: Page, address: string) {
  const bodies: Promise<number>[] = []
  const weighed = (answer: Response) => {
    if (!['document', 'fetch', 'xhr'].includes(answer.request().resourceType())) return
    bodies.push(
      answer.body().then(
        (body) => body.length,
        () => 0,
      ),
    )
  }
  await rendered(page, address)
  page.on('response', weighed)
  await page.goto(address)
  await hydrated(page)
  // The browser's own quiet may have come before the app was there to ask for anything.
  for (let known = -1; known !== bodies.length; await page.waitForTimeout(600)) known = bodies.length
  page.off('response', weighed)
  const sizes = await Promise.all(bodies)
  return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

test('no request of any page grows with the catalogue', async ({ page, ownServer, course }) => {
  test.slow()
  const { id } = await course('The Self-Tape Lab')
  const paths = ['/', '/trending', '/search', '/search?q=a', `/course/${id}`]
  const before = new Map<string, Awaited<ReturnType<typeof weigh>>>()
  for (const path of paths) before.set(path, await weigh(page, ownServer.url + path))
  await importCourses(
    ownServer,
    Array.from({ length: 300 }, (_, number) => ({
      title: `Backstage ${number + 1}`,
      // Its row is full already, so that the page shows the same as before.
      category: 'Acting & Performance',
    })),
  )
  const counted = await fetch(`${ownServer.url}/rest/v1/courses?select=id&limit=1`, {
    headers: { apikey: ownServer.apiKey, Prefer: 'count=exact' },
  })
  expect(counted.headers.get('content-range')).toBe('0-0/328')
  for (const path of paths) {
    const then = before.get(path)
    const now = await weigh(page, ownServer.url + path)
    expect(then?.bytes, `bytes of ${path}`).toBeGreaterThan(10_000)
    expect(now.requests, `requests of ${path}`).toBeLessThanOrEqual(then?.requests ?? 0)
    expect(now.bytes, `bytes of ${path}`).toBeLessThan((then?.bytes ?? 0) * 1.02 + 512)
  }
})
