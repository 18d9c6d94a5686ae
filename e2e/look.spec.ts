import type { Page } from '@playwright/test'
import { expect, hydrated, still, test } from './fixtures/test'

declare global {
  interface Window {
    /** What moved in each change of page, by the names of the style sheet. */
    passages?: string[][]
    shifted?: number
  }
}

/** Notes every change of page that is shown as a movement, and every shift that nobody asked for. */
function listen() {
  window.passages = []
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) window.shifted = (window.shifted ?? 0) + entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const start = document.startViewTransition.bind(document)
  document.startViewTransition = (update) => {
    const passage = start(update)
    const note = () => {
      const effects = document
        .getAnimations()
        .map(({ effect }) => (effect as KeyframeEffect | null)?.pseudoElement ?? '')
      window.passages?.push(
        effects.flatMap((name) => /^::view-transition-group\((\w+)\)$/.exec(name)?.[1] ?? []).sort(),
      )
    }
    passage.ready.then(note, () => window.passages?.push(['skipped']))
    return passage
  }
}

async function open(page: Page, path: string) {
  await page.goto(path)
  await hydrated(page)
}

const passages = (page: Page) => page.evaluate(() => window.passages)

test('the picture of a card grows into its course and shrinks back, and the head follows', async ({
  page,
  course,
  server,
}) => {
  await page.addInitScript(listen)
  const { id, title, description } = await course('The Self-Tape Lab')
  await open(page, '/')
  const card = page.getByRole('region', { name: 'Trending Now', exact: true }).getByRole('link', { name: title })
  await card.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  await card.click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText(description, { exact: true })).toBeVisible()
  await expect(page).toHaveTitle(`${title} · Greenroom`)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${server.url}/course/${id}`)
  await expect.poll(() => passages(page)).toEqual([expect.arrayContaining(['still'])])
  await still(page)
  await page.goBack()
  await expect(card).toBeInViewport()
  await expect(page).toHaveTitle(/courses for creators and performers/)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${server.url}/`)
  await expect
    .poll(() => passages(page))
    .toEqual([expect.arrayContaining(['still']), expect.arrayContaining(['still'])])
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
  await still(page)
  await expect(page.locator('article [style*="view-transition-name"]')).toHaveCount(0)
  expect(await page.evaluate(() => window.shifted)).toBeLessThan(0.02)
})

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('pages change at once', async ({ page, course }) => {
    await page.addInitScript(listen)
    const { title } = await course()
    await open(page, '/trending')
    await page.getByRole('main').getByRole('link', { name: title }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(await passages(page)).toEqual([])
  })
})
