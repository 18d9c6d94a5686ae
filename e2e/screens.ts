// The contact sheet: every page at 1440 and 390 pixels, as a visitor, a learner or an admin sees it.
import { join } from 'node:path'
import { hydrated, test } from './fixtures/test'

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
const learner = ['my-list', 'waitlist', 'account', 'settings', 'recommendations']

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`every page at ${width}`, async ({ page, server, course, signIn, watch }) => {
    test.setTimeout(300_000)
    watch.allow(/404/)
    await page.setViewportSize({ width, height })
    const take = async (path: string, name: string) => {
      await page.goto(path)
      await hydrated(page)
      await page.waitForLoadState('networkidle')
      await page.screenshot({
        path: join(folder, `${name}-${width}.jpg`),
        type: 'jpeg',
        quality: 78,
        animations: 'disabled',
      })
    }
    const found = await course('Documentary Filmmaking')
    await take('/', 'home')
    await take(`/course/${found.id}`, 'course')
    for (const path of visitor) await take(`/${path}`, path.split('?')[0] ?? path)

    const person = await signIn({ admin: true })
    await new Promise((resolve) => setTimeout(resolve, 1100)) // a role that another process granted counts within a second
    const headers = { apikey: server.apiKey, Authorization: `Bearer ${person.token}` }
    await page.request.post('/rest/v1/saved_courses', { headers, data: { user_id: person.id, course_id: found.id } })
    await page.request.post('/rest/v1/course_waitlist', {
      headers,
      data: { user_id: person.id, course_title: found.title, email: person.email },
    })
    for (const path of [...learner, 'admin']) await take(`/${path}`, path)
  })
}
