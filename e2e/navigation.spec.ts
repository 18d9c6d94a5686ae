import type { Page, Route } from '@playwright/test'
import { expect, expectAccessible, open, still, test } from './fixtures/test'

const phone = { width: 390, height: 844 }

const links = {
  Home: '/',
  'My List': '/my-list',
  Waitlist: '/waitlist',
  Recommend: '/recommendations',
  Trending: '/#trending',
}

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test('the bar stays at the top and links Home, My List, Waitlist, Recommend and Trending', async ({ page }) => {
  await open(page, '/privacy-policy')
  await page.evaluate(() => scrollTo(0, 900))
  expect((await page.getByRole('banner').boundingBox())?.y).toBe(0)
  for (const [name, href] of Object.entries(links))
    await expect(bar(page).getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  await bar(page).getByRole('link', { name: 'Greenroom, home' }).click()
  await expect(page).toHaveURL('/')
})

test('blank text in the search form does nothing, other text goes to /search?q={text}', async ({ page }) => {
  await open(page, '/trending')
  const box = bar(page).getByPlaceholder('Search courses...')
  await box.fill('   ')
  await box.press('Enter')
  await expect(page).toHaveURL('/trending')
  await expect(page.getByRole('heading', { level: 1, name: 'Trending Now' })).toBeVisible()
  await box.fill('acting & voice')
  await box.press('Enter')
  await expect(page).toHaveURL('/search?q=acting%20%26%20voice')
  await expect(page.getByRole('main').getByPlaceholder('Search courses...')).toHaveValue('acting & voice')
})

test('an icon tells its name to whoever points at it, until Escape', async ({ page }) => {
  await open(page, '/privacy-policy')
  const account = bar(page).getByRole('link', { name: 'Account' })
  await account.hover()
  const tip = page.getByRole('tooltip', { includeHidden: true })
  await expect(tip).toHaveText('Account')
  const [below, above] = [await tip.boundingBox(), await account.boundingBox()]
  expect(below?.y).toBe((above?.y ?? 0) + (above?.height ?? 0))
  await still(page)
  await expectAccessible(page)
  await tip.hover()
  await expect(tip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
})

test('a stranger sees the way in, and comes back to where they were; who is in sees their initial', async ({
  page,
  signIn,
}) => {
  await open(page, '/search?q=film')
  await bar(page).getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/auth')
  expect(await page.evaluate(() => sessionStorage.getItem('greenroom.wanted'))).toBe('/search?q=film')
  await signIn({ email: `zora-${Date.now()}@example.com` })
  await page.addInitScript(() => {
    let shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) shifted += entry.value
      Object.assign(window, { shifted })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await open(page, '/privacy-policy')
  await expect(bar(page).getByRole('link', { name: 'Account' }).locator('[data-initial]')).toHaveAttribute(
    'data-initial',
    'z',
  )
  await expect(bar(page).getByRole('link', { name: 'Sign in' })).toHaveCount(0)
  expect(await page.evaluate(() => Reflect.get(window, 'shifted') ?? 0), 'nothing moves for it').toBeLessThan(0.001)
})

test('the account button goes to /account by a full page load', async ({ page, signIn }) => {
  const { email } = await signIn()
  await open(page, '/privacy-policy')
  await page.evaluate(() => Object.assign(window, { thisLoad: true }))
  await bar(page).getByRole('link', { name: 'My List' }).click()
  await expect(page).toHaveURL('/my-list')
  expect(await page.evaluate(() => 'thisLoad' in window), 'a link within the app').toBe(true)
  await bar(page).getByRole('link', { name: 'Account' }).click()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page).toHaveURL('/account')
  expect(await page.evaluate(() => 'thisLoad' in window), 'the account').toBe(false)
})

test('Trending scrolls to the row of the home page, from there and from any other page', async ({ page }) => {
  const row = page.getByRole('region', { name: 'Trending Now', exact: true })
  const offset = async () => (await row.boundingBox())?.y ?? Number.NaN
  await open(page, '/privacy-policy')
  await bar(page).getByRole('link', { name: 'Trending' }).click()
  await expect(page).toHaveURL('/#trending')
  await expect.poll(offset).toBeLessThan(200)
  expect(await offset(), 'below the bar').toBeGreaterThan(40)
  await page.evaluate(() => scrollTo(0, 0))
  await bar(page).getByRole('link', { name: 'Trending' }).click()
  await expect.poll(offset).toBeLessThan(200)
  await row.getByRole('link', { name: 'Trending Now See all', exact: true }).click()
  await expect(page).toHaveURL('/trending')
})

test('the footer links to every form and legal page, and to the social profiles', async ({ page }) => {
  await open(page, '/trending')
  const footer = page.getByRole('contentinfo')
  for (const [path, title] of [
    ['/contact', 'Contact'],
    ['/investor-relations', 'Investor Relations'],
    ['/sponsorships', 'Corporate Sponsorships'],
    ['/help-center', 'Help Center'],
    ['/privacy-policy', 'Privacy Policy'],
    ['/terms-and-conditions', 'Terms and Conditions'],
  ] as const) {
    await footer.locator(`a[href="${path}"]`).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
  await expect(footer.locator('a[href="/recommendations"]')).toBeVisible()
  for (const name of ['Instagram', 'YouTube', 'X', 'LinkedIn']) {
    const profile = footer.getByRole('link', { name, exact: true })
    await expect(profile).toHaveAttribute('href', /^https:\/\/./)
    await expect(profile).toHaveAttribute('target', '_blank')
    await expect(profile).toHaveAttribute('rel', /noopener/)
  }
})

test('the terms speak of USD fees, non-refundable, and California law', async ({ page }) => {
  await open(page, '/terms-and-conditions')
  const main = page.getByRole('main')
  for (const text of [/\bUSD\b|US dollars/, /non-refundable/i, /California/])
    await expect(main.getByText(text).first()).toBeVisible()
  await open(page, '/privacy-policy')
  expect(((await main.textContent()) ?? '').length, 'a complete text').toBeGreaterThan(3000)
})

test('a server that is away for a moment costs nobody the page', async ({ page, watch }) => {
  watch.allow(/Failed to load resource|Failed to fetch|dynamically imported|Unable to preload|The page failed|net::ERR/)
  await open(page, '/trending')
  await page.evaluate(() => sessionStorage.setItem('mark', 'this page'))
  const away = (route: Route) => route.abort()
  await page.route('**/*', away)
  await page.getByRole('link', { name: 'Terms and Conditions' }).click()
  await expect(page.getByText('Something went wrong on this page')).toBeVisible()
  await expect(bar(page).getByRole('link', { name: 'Waitlist' }), 'the frame is still there').toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Something went wrong on this page')).toBeVisible()
  await page.unroute('**/*', away)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms and Conditions' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true })

  test('the search button goes to /search', async ({ page }) => {
    await open(page, '/trending')
    await expect(bar(page).getByPlaceholder('Search courses...')).toBeHidden()
    await expect(bar(page).getByRole('link', { name: 'Waitlist' })).toBeHidden()
    await bar(page).getByRole('link', { name: 'Search', exact: true }).tap()
    await expect(page).toHaveURL('/search')
  })

  test('the menu button opens a sheet with all links and the account', async ({ page }) => {
    await open(page, '/trending')
    const button = bar(page).getByRole('button', { name: 'Menu' })
    const sheet = page.getByRole('dialog', { name: 'Menu' })
    await button.tap()
    for (const [name, href] of Object.entries({ ...links, Account: '/account', 'Sign in': '/auth' }))
      await expect(sheet.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
    await still(page)
    await expectAccessible(page, '[role=dialog]')
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(button).toBeFocused()
    await button.tap()
    await sheet.getByRole('link', { name: 'Home' }).tap()
    await expect(page).toHaveURL('/')
    await expect(sheet).toBeHidden()
  })
})
