import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, open, still, test } from './fixtures/test'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Goes to a place as a keyboard does, stop by stop. */
async function tabTo(page: Page, place: Locator, most = 60) {
  for (let stops = 0; stops < most; stops++) {
    if (await place.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`not within ${most} stops of the keyboard: ${place}`)
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
  const stop = (index: number) => cards.nth(index).getByRole('heading').getByRole('link')
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

test('a card is met by its title first, then by what can be done with it', async ({ page }) => {
  await open(page, '/trending')
  const card = page.getByRole('article').first()
  await card.getByRole('heading').getByRole('link').focus()
  await page.keyboard.press('Tab')
  await expect(card.getByRole('button', { name: /^Save/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(card.getByRole('button', { name: /^Join Waitlist/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('article').nth(1).getByRole('heading').getByRole('link')).toBeFocused()
})

test('the arrows of a row can be reached and pressed', async ({ page }) => {
  await open(page, '/')
  const on = page.getByRole('button', { name: 'Next in Trending Now' })
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

test('a course is found, saved, waited for and left by keyboard alone', async ({ page, course, signIn }) => {
  const { id, title } = await course('The Self-Tape Lab')
  await signIn()
  await open(page, '/')
  await tabTo(page, page.getByRole('searchbox', { name: 'Search courses' }))
  await page.keyboard.type('self-tape')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/search?q=self-tape')
  await expect(page.getByRole('main')).toBeFocused()
  await tabTo(page, page.getByRole('main').getByRole('link', { name: title }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/course/${id}`)
  await expect(page.getByRole('main')).toBeFocused()
  const hero = page.getByRole('region', { name: title, exact: true })
  await tabTo(page, hero.getByRole('button', { name: 'Join Waitlist' }))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Added to waitlist')
  await expect(hero.getByRole('button', { name: 'Leave Waitlist' })).toBeFocused()
  await tabTo(page, hero.getByRole('button', { name: `Save ${title} to My List` }), 4)
  await page.keyboard.press('Space')
  await expectToast(page, 'Added to My List')
  await open(page, '/waitlist')
  await tabTo(page, page.getByRole('button', { name: /Remove/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Browse Courses' })).toBeVisible()
  expect(await page.evaluate(() => document.activeElement !== document.body), 'the focus is kept').toBe(true)
})

test('an admin adds and deletes a course by keyboard alone', async ({ page, ownServer, signIn, watch }) => {
  // The preview follows the address while it is typed.
  watch.allow(/status of 404/)
  await signIn({ admin: true, on: ownServer })
  await open(page, `${ownServer.url}/admin`)
  await tabTo(page, page.getByRole('button', { name: 'Add Course' }))
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Add Course' })
  for (const [label, text] of [
    ['Title', 'Light by Hand'],
    ['Instructor', 'Ana'],
    ['Duration', '2 weeks'],
    ['Thumbnail', '/art/ai-tools.webp'],
    ['Description', 'By keys.'],
  ] as const) {
    await tabTo(page, form.getByLabel(label, { exact: true }), 20)
    await page.keyboard.type(text)
  }
  await tabTo(page, form.getByRole('button', { name: 'Save Course' }), 12)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Course added successfully')
  const remove = page.getByRole('button', { name: 'Delete Light by Hand' })
  await open(page, `${ownServer.url}/admin`)
  await tabTo(page, remove)
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure you want to delete this course?')
  await tabTo(page, question.getByRole('button', { name: 'Delete Course' }), 4)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Course deleted successfully')
  await expect(remove).toHaveCount(0)
})

test.describe('on a phone with a keyboard', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the menu leads to a form, whose errors are told and whose message is sent', async ({ page, signIn }) => {
    await signIn()
    await open(page, '/trending')
    const menu = page.getByRole('button', { name: 'Menu' })
    await tabTo(page, menu, 8)
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Menu' })
    await expect(sheet).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu).toBeFocused()
    await page.keyboard.press('Enter')
    await tabTo(page, sheet.getByRole('link', { name: 'Recommend' }), 12)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/recommendations')
    const title = page.getByLabel(/^Course title/i)
    const send = page.getByRole('button', { name: /Submit|Send/ })
    await tabTo(page, send, 20)
    await page.keyboard.press('Enter')
    await expectToast(page, 'Course title is required')
    await expect(title).toHaveAttribute('aria-invalid', 'true')
    await still(page)
    await expectAccessible(page, 'main')
    await title.focus()
    await page.keyboard.type('Foley at Home')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Thank you for your recommendation!')
  })
})
