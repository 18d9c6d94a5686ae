import { expect, hydrated, test } from './fixtures/test'

const rows = [
  'Trending Now',
  'Coming Soon',
  'Creator Economy',
  'Acting & Performance',
  'AI Tools',
  'Content Creation',
  'Business & Networking',
  'Marketing & Growth',
]

test('the home page shows a row of at most six courses for each heading @both', async ({ page }) => {
  await page.goto('/')
  await hydrated(page)
  for (const name of rows) {
    const row = page.getByRole('region', { name, exact: true })
    await expect(row.getByRole('heading', { name })).toBeVisible()
    const links = await row
      .locator('a[href^="/course/"]')
      .evaluateAll((all) => [...new Set(all.map((a) => a.getAttribute('href')))])
    expect(links.length, `courses in ${name}`).toBeGreaterThan(0)
    expect(links.length, `courses in ${name}`).toBeLessThanOrEqual(6)
  }
})

test('a category shows only its own row', async ({ page }) => {
  await page.goto('/')
  await hydrated(page)
  await page.getByRole('tab', { name: 'AI Tools' }).click()
  await expect(page.getByRole('region', { name: 'AI Tools', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Trending Now', exact: true })).toHaveCount(0)
})

test('a course opens from its card @both', async ({ page, course }) => {
  const { id, title } = await course()
  await page.goto('/')
  await hydrated(page)
  await page
    .getByRole('region', { name: 'Trending Now', exact: true })
    .locator(`a[href="/course/${id}"]`)
    .first()
    .click()
  await expect(page).toHaveURL(`/course/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page).toHaveTitle(`${title} · Greenroom`)
})
