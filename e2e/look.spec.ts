import type { Locator, Page } from '@playwright/test'
import { expect, hold, open, still, test } from './fixtures/test'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

declare global {
  interface Window {
    /** What moved in each change of page, and what of it changed. */
    passages?: string[]
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
  const { animate } = Element.prototype
  Element.prototype.animate = function (...how) {
    const animation = animate.apply(this, how)
    const changed = (animation.effect as KeyframeEffect).getKeyframes().flatMap((step) => Object.keys(step))
    const timing = ['offset', 'computedOffset', 'easing', 'composite']
    const what = [...new Set(changed)].filter((property) => !timing.includes(property))
    window.passages?.push(`${animation.id}: ${what}`)
    return animation
  }
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
  await expect.poll(() => passages(page)).toEqual(['still: transform'])
  await still(page)
  const marked = page.locator('main [style*="overflow"], main img[style*="url"]')
  await expect(marked, 'nothing is left of the way').toHaveCount(0)
  await page.goBack()
  await expect(card).toBeInViewport()
  await expect(page).toHaveTitle(/courses for creators and performers/)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${server.url}/`)
  await expect.poll(() => passages(page)).toEqual(['still: transform', 'still: transform'])
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
  await still(page)
  await expect(page.locator('body > img'), 'the copy that moved is gone').toHaveCount(0)
  await expect(page.locator('.still-ground[style*="hidden"]')).toHaveCount(0)
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

test.describe('where the system chooses the colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } })

  test('buttons have an edge, what is chosen is marked, and the focus is seen', async ({ page, signIn, course }) => {
    await signIn()
    const { title } = await course()
    await open(page, '/')
    const look = (element: Element) => {
      const { borderTopWidth, outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(element)
      return {
        edge: Number.parseFloat(borderTopWidth),
        ring: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
        ground: backgroundColor,
      }
    }
    const register = page.getByRole('button', { name: 'Register Now' })
    expect((await register.evaluate(look)).edge).toBeGreaterThanOrEqual(1)
    await register.focus()
    await page.keyboard.press('Tab')
    expect((await page.locator(':focus').evaluate(look)).ring).toBeGreaterThanOrEqual(2)
    const grounds = await page
      .getByRole('tab')
      .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).backgroundColor))
    expect(
      grounds.filter((ground) => ground === grounds[0]),
      'the chosen tab alone',
    ).toHaveLength(1)
    const heart = page.getByRole('button', { name: `Save ${title} to My List` }).first()
    await heart.click()
    const saved = page.getByRole('button', { name: `Remove ${title} from My List` }).first()
    await expect.poll(async () => (await saved.evaluate(look)).ground, 'the ground fades in').toBe(grounds[0])
  })
})

// A window of 1280 at 400 % and one of 640 at 200 % are as wide as this.
test.describe('at 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('no page scrolls sideways, and dialogs keep their buttons in reach', async ({ page, signIn }) => {
    await signIn({ admin: true })
    // The others are held to it where axe looks at them.
    for (const path of ['/search?q=film', '/my-list', '/waitlist', '/admin', '/recommendations']) {
      await open(page, path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
    }
    await open(page, '/')
    await page.getByRole('button', { name: 'Register Now' }).click()
    const dialog = page.getByRole('dialog', { name: 'Register for the workshop' })
    await still(page)
    const send = dialog.getByRole('button', { name: 'Register Now' })
    await send.scrollIntoViewIfNeeded()
    await send.click()
    const toast = page.locator('[data-sonner-toast]')
    await expect(toast).toContainText('Please fill in all fields')
    const [shown, button] = await Promise.all([toast.boundingBox(), send.boundingBox()])
    expect((shown?.y ?? 0) + (shown?.height ?? 0), 'the toast stands above the button').toBeLessThanOrEqual(
      button?.y ?? 0,
    )
  })
})

// What lies below the screen is laid out when it comes near: until then it must have about its height.
test('settings stand on the same grid as the other pages', async ({ page, signIn }) => {
  await signIn()
  const edges = async (part: Locator) => {
    const box = await part.boundingBox()
    return [box?.x, (box?.x ?? 0) + (box?.width ?? 0)].map((edge) => Math.round(edge ?? 0))
  }
  await open(page, '/contact')
  const [left, right] = [
    await edges(page.getByRole('banner').getByRole('link').first()),
    await edges(page.locator('main form')),
  ]
  await open(page, '/settings')
  const section = page.getByRole('region', { name: 'Change password' })
  await expect(section.getByLabel('New password')).toBeVisible()
  expect(await edges(section)).toEqual([left[0], right[1]])
})

test('the way to the end of a page is as long as it seems', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/trending', '/', '/contact']) {
    await open(page, path)
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    const before = await height()
    const social = page.getByRole('list', { name: 'Social profiles' })
    for (let y = 0; y < before; y += 800) await page.evaluate((to) => scrollTo(0, to), y)
    await social.scrollIntoViewIfNeeded()
    await still(page)
    expect(Math.abs((await height()) - before) / before, path).toBeLessThan(0.05)
  }
})

test('what waits for a card has its height', async ({ page }) => {
  const grid = page.getByRole('main').locator('.grid').first()
  const height = async () => Math.round((await grid.locator('> *').first().boundingBox())?.height ?? 0)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await open(page, '/privacy-policy')
    const answer = await hold(page, '**/rest/v1/courses*')
    await page.evaluate(() => {
      history.pushState({}, '', '/trending')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await expect(page.getByRole('heading', { level: 1, name: 'Trending Now' })).toBeVisible()
    const waiting = await height()
    answer()
    await expect(page.getByRole('article').first()).toBeVisible()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(Math.abs((await height()) - waiting), `at ${width}`).toBeLessThanOrEqual(2)
  }
})
