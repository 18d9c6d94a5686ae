import type { Page } from '@playwright/test'
import { expect, expectToast, hydrated, test } from './fixtures/test'

async function open(page: Page, path: string) {
  await page.goto(path)
  await hydrated(page)
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

test('the first stop of a page skips to its content', async ({ page }) => {
  await open(page, '/trending')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

test('Left, Right, Home and End walk along a row', async ({ page }) => {
  await open(page, '/')
  const row = page.getByRole('region', { name: 'Trending Now', exact: true })
  const cards = row.getByRole('listitem')
  await expect(cards).toHaveCount(6)
  const stop = (index: number) => cards.nth(index).locator('a, button').first()
  await stop(0).focus()
  await page.keyboard.press('ArrowRight')
  await expect(stop(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(stop(5)).toBeFocused()
  await expect(cards.nth(5)).toBeInViewport({ ratio: 0.9 })
  await page.keyboard.press('ArrowLeft')
  await expect(stop(4)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(stop(0)).toBeFocused()
  await expect(cards.nth(0)).toBeInViewport({ ratio: 0.9 })
})

test('the arrows of a row can be reached and pressed', async ({ page }) => {
  await open(page, '/')
  const on = page.getByRole('button', { name: 'Scroll Trending Now on' })
  await on.focus()
  await page.keyboard.press('Enter')
  const list = page.getByRole('region', { name: 'Trending Now', exact: true }).getByRole('list').last()
  await expect.poll(() => list.evaluate((element) => Math.round(element.scrollLeft))).toBe(400)
})

test('Left, Right, Home and End choose a category', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('tab', { name: 'All' }).focus()
  for (const [key, name] of [
    ['ArrowRight', 'Creator Economy'],
    ['End', 'Marketing & Growth'],
    ['ArrowLeft', 'Business & Networking'],
    ['Home', 'All'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole('tab', { name })).toBeFocused()
    await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
  }
})

test('the workshop is registered for by keyboard alone, and the focus comes back', async ({ page }) => {
  await open(page, '/')
  const opener = page.getByRole('button', { name: 'Register Now' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Register for the workshop' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type(`keys-${Math.random()}@example.com`)
  await page.keyboard.press('Enter')
  await expectToast(page, "Success! You've been added to the waitlist. We'll be in touch soon!")
  await expect(dialog).toBeHidden()
})

test('the share menu is walked by arrows and by its letters', async ({ page, course }) => {
  await open(page, `/course/${(await course()).id}`)
  const share = page.getByRole('button', { name: 'Share' })
  await share.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await expect.poll(() => focused(page)).toBe('Email')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page)).toBe('WhatsApp')
  await page.keyboard.press('l')
  await expect.poll(() => focused(page)).toBe('LinkedIn')
  await page.keyboard.press('End')
  await expect.poll(() => focused(page)).toBe('Copy link')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(share).toBeFocused()
})

test('a heart is pressed by keyboard', async ({ page, course, signIn }) => {
  await signIn()
  const { title } = await course()
  const read = page.waitForResponse(/saved_courses/)
  await open(page, '/trending')
  await read
  await page.getByRole('button', { name: `Save ${title} to My List` }).focus()
  await page.keyboard.press('Space')
  await expectToast(page, 'Added to My List')
  await expect(page.getByRole('button', { name: `Remove ${title} from My List` })).toBeFocused()
})

test('a page that is opened by a link takes the focus to its content', async ({ page }) => {
  await open(page, '/trending')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/privacy-policy')
  await expect(page.getByRole('main')).toBeFocused()
})
