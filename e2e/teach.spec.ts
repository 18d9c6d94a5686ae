import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { call } from './fixtures/rest'
import { film, invoke, School } from './fixtures/school'
import { test as base, expect, expectAccessible, expectAccessibleAtBothSizes, expectToast, open } from './fixtures/test'

const test = base.extend<{ school: School }>({
  school: async ({ server }, use) => {
    const school = await School.open(server)
    await use(school)
    await school.end()
  },
})

const draftOf = async (school: School, lesson: string) =>
  (await school.invoke<{ draft_body: string }>('studio-lesson', { lesson })).draft_body

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let steps = 0; steps < 150; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('the keyboard does not come there')
}

test.describe('who may enter', () => {
  test('a stranger goes to sign in, and comes back', async ({ page, school }) => {
    await page.goto(`/teach/${school.course}`)
    await expect(page).toHaveURL('/auth')
    expect(await page.evaluate(() => sessionStorage.getItem('greenroom.wanted'))).toBe(`/teach/${school.course}`)
  })

  test('who teaches nothing is told and sent home, and so is the teacher of another course', async ({
    page,
    school,
    signIn,
  }) => {
    const ada = await signIn()
    await page.goto('/teach')
    await expectToast(page, 'Access denied. Teachers only.')
    await expect(page).toHaveURL('/')
    const other = await School.open(school.server)
    await other.teacher(ada.id, true)
    await page.goto(`/teach/${school.course}`)
    await expectToast(page, 'Access denied. Teachers only.')
    await expect(page).toHaveURL('/')
    await open(page, '/teach')
    await expect(page.getByRole('link', { name: other.title })).toBeVisible()
    await expectAccessibleAtBothSizes(page)
    await other.end()
  })

  test('an admin finds every curriculum, and the way to a new one', async ({ page, school, signIn }) => {
    await signIn({ admin: true })
    await open(page, '/admin')
    await page.getByLabel('Search the courses').fill(school.title)
    // Nobody presses what is about to move to the top.
    await expect(page.getByRole('link', { name: /^Curriculum of/ })).toHaveCount(1)
    await page.getByRole('link', { name: `Curriculum of ${school.title}` }).click()
    await expect(page).toHaveURL(`/teach/${school.course}`)
    await expect(page.getByText('The stage is empty')).toBeVisible()
    await expectAccessibleAtBothSizes(page)
    await school.section('One')
    await open(page, '/teach')
    await expect(page.getByRole('link', { name: school.title })).toBeVisible()
  })

  test('who may only look finds nothing to change', async ({ page, school, signIn }) => {
    const one = await school.section('One')
    const lesson = await school.published(one, 'Breathing', '# Breathe')
    const ada = await signIn()
    await school.teacher(ada.id, false)
    await open(page, `/teach/${school.course}`)
    await expect(page.getByText('View only')).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Move|Add|More)/ })).toHaveCount(0)
    await expect(page.getByRole('switch', { name: 'Published: Breathing' })).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('link', { name: 'Breathing' }).click()
    await expect(page.getByRole('heading', { name: 'Breathe', exact: true })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Text in Markdown' })).toHaveCount(0)
    await expectAccessibleAtBothSizes(page)
    expect(page.url()).toContain(lesson)
  })
})

test.describe('the curriculum', () => {
  test('is built by keyboard alone @both', async ({ page, school, signIn }) => {
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}`)
    const { keyboard } = page
    await tabTo(page, page.getByRole('button', { name: 'Add section' }))
    await keyboard.press('Enter')
    for (const title of ['One', 'Two']) {
      await keyboard.type(title)
      await keyboard.press('Enter')
      await expect(page.getByRole('region', { name: title })).toBeVisible()
      await expect(page.getByLabel('Title of the section')).toHaveValue('')
    }
    await keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Add section' })).toBeFocused()

    await page.getByRole('main').focus()
    await tabTo(page, page.getByRole('button', { name: 'Add lesson to One' }))
    await keyboard.press('Enter')
    for (const title of ['Alpha', 'Beta', 'Gamma']) {
      await keyboard.type(title)
      await keyboard.press('Enter')
      await expect(page.getByRole('link', { name: title })).toBeVisible()
      await expect(page.getByLabel('Title of the lesson')).toHaveValue('')
    }
    await keyboard.press('Escape')
    await expectAccessibleAtBothSizes(page)
    await expect(page.getByRole('switch', { name: 'Preview: Alpha' })).toBeChecked()

    const down = page.getByRole('button', { name: 'Move Beta down' })
    await page.getByRole('main').focus()
    await tabTo(page, down)
    await keyboard.press('Enter')
    await expect(page.getByText('Beta: number 3 of 3 in One')).toBeAttached()
    await expect(down).toBeFocused()
    await keyboard.press('Enter')
    await expect(page.getByText('Beta: number 1 of 1 in Two')).toBeAttached()
    await expect(down).toBeFocused()
    await keyboard.press('Enter')
    await expect(down).toHaveAttribute('aria-disabled', 'true')
    await expectToast(page, 'Order saved')
    expect(await school.order()).toBe('One: Alpha, Gamma | Two: Beta')

    await tabTo(page, page.getByRole('button', { name: 'More for Beta' }))
    await keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page, '[role=menu]')
    await keyboard.press('Enter')
    await expect(page.getByLabel('Title of Beta')).toBeFocused()
    await keyboard.type('Delta')
    await keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'More for Delta' })).toBeFocused()
    await expect.poll(school.order).toBe('One: Alpha, Gamma | Two: Delta')

    await page.getByRole('main').focus()
    await tabTo(page, page.getByRole('button', { name: 'Move section Two up' }))
    await keyboard.press('Enter')
    await expect(page.getByText('Two: section 1 of 2')).toBeAttached()
    await expect.poll(school.order).toBe('Two: Delta | One: Alpha, Gamma')
  })

  test('is dragged by a pointer', async ({ page, school, signIn }) => {
    const [one, two] = [await school.section('One'), await school.section('Two')]
    for (const title of ['Alpha', 'Beta']) await school.lesson(one, title)
    await school.lesson(two, 'Gamma')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}`)
    const row = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })
    const from = await row('Alpha').boundingBox()
    const to = await row('Gamma').boundingBox()
    if (!from || !to) throw new Error('no rows')
    await page.mouse.move(from.x + 20, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + 20, to.y + to.height - 4, { steps: 8 })
    await expect(row('Alpha')).toHaveCSS('opacity', '0.4')
    await page.mouse.up()
    await expectToast(page, 'Order saved')
    expect(await school.order()).toBe('One: Beta | Two: Gamma, Alpha')
  })

  test('is scheduled, published and cleared', async ({ page, school, signIn, watch }) => {
    watch.allow(/status of 4\d\d .*publish-lesson/)
    const one = await school.section('One')
    await school.lesson(one, 'Empty')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}`)
    await expect(page.getByText('Publish at least one lesson to open enrollment.')).toBeVisible()
    await page.getByRole('switch', { name: 'Published: Empty' }).click()
    await expect(page.locator('[data-sonner-toast][data-type=error]')).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Published: Empty' })).not.toBeChecked()

    await page.getByRole('button', { name: 'More for Empty' }).click()
    await page.getByRole('menuitem', { name: 'When it opens' }).click()
    await page.getByLabel('Some days after a learner enrolls').check()
    await page.getByLabel('Days', { exact: true }).fill('0')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('alert').getByText('A whole number of days')).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    await page.getByLabel('Days', { exact: true }).fill('3')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Opens after 3 days')).toBeVisible()
    await expect(page.getByRole('button', { name: 'More for Empty' })).toBeFocused()
    await expect.poll(async () => (await school.lessons())[0]?.release_days).toBe(3)

    await page.getByRole('button', { name: 'More for section One' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expectToast(page, 'Move or delete its lessons first.')
    await page.getByRole('button', { name: 'More for Empty' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete Lesson' }).click()
    await expectToast(page, 'Lesson deleted')
    await page.getByRole('button', { name: 'More for section One' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete Section' }).click()
    await expect.poll(school.order).toBe('')
  })

  test('that somebody else changed is not overwritten', async ({ page, school, signIn, watch }) => {
    watch.allow(/409 .*arrange-lessons/)
    const one = await school.section('One')
    for (const title of ['Alpha', 'Beta']) await school.lesson(one, title)
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}`)
    await expect(page.getByRole('link', { name: 'Beta' })).toBeVisible()
    await school.lesson(one, 'Gamma')
    await page.getByRole('button', { name: 'Move Alpha down' }).click()
    await expectToast(page, 'Somebody else changed this curriculum. Reload to see it.')
    await expect(page.getByRole('link', { name: 'Gamma' })).toBeVisible()
    expect(await school.order()).toBe('One: Alpha, Beta, Gamma')
  })
})

test.describe('a text', () => {
  test('is the one that was written last when its lesson is opened again', async ({ page, school, signIn }) => {
    await school.lesson(await school.section('One'), 'Breathing')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}`)
    const box = page.getByRole('textbox', { name: 'Text in Markdown' })
    const back = page.getByRole('link', { name: 'Curriculum' }).first()
    await page.getByRole('link', { name: 'Breathing' }).click()
    await box.fill('Breathe out.')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await back.click()
    await page.getByRole('link', { name: 'Breathing' }).click()
    await expect(box).toHaveValue('Breathe out.')
    await box.fill('Breathe out. And in.')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Preview as learner' }).click()
    await page.goBack()
    await expect(box).toHaveValue('Breathe out. And in.')
  })

  test('is saved while it is written, through a lost network and a reload @both', async ({
    page,
    context,
    school,
    signIn,
    watch,
  }) => {
    watch.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|preload|dynamically imported/)
    const lesson = await school.lesson(await school.section('One'), 'Breathing')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?lesson=${lesson}`)
    const box = page.getByRole('textbox', { name: 'Text in Markdown' })
    await box.fill('# Breathe')
    // On a phone one reads after writing.
    const read = page.getByRole('button', { name: 'Read' })
    const isNarrow = await read.isVisible()
    if (isNarrow) await read.click()
    await expect(page.getByRole('heading', { name: 'Breathe' })).toBeVisible()
    if (isNarrow) await page.getByRole('button', { name: 'Write' }).click()
    await expect.poll(() => draftOf(school, lesson)).toBe('# Breathe')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()

    await context.setOffline(true)
    await box.fill('# Breathe\n\nIn and out.')
    await expect(page.getByText('Not saved yet.')).toBeVisible()
    await expectAccessible(page)
    await context.setOffline(false)
    await expect.poll(() => draftOf(school, lesson)).toBe('# Breathe\n\nIn and out.')
    await expect(box).toHaveValue('# Breathe\n\nIn and out.')

    await page.route('**/functions/v1/save-draft', (route) => route.abort())
    await box.fill('# Breathe\n\nIn, out, and in.')
    await expect(page.getByText('Not saved yet.')).toBeVisible()
    // Links ask before they lead away from what is not sent.
    await page.getByRole('link', { name: 'Curriculum' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.getByRole('button', { name: 'Stay' }).click()
    page.once('dialog', (dialog) => dialog.accept())
    await page.unroute('**/functions/v1/save-draft')
    await page.reload()
    await expect(box).toHaveValue('# Breathe\n\nIn, out, and in.')
    await expect.poll(() => draftOf(school, lesson)).toBe('# Breathe\n\nIn, out, and in.')
  })

  test('of two editors: the second is told and loses nothing', async ({ page, school, signIn, watch }) => {
    watch.allow(/409 .*save-draft/)
    const lesson = await school.lesson(await school.section('One'), 'Breathing')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?lesson=${lesson}`)
    const box = page.getByRole('textbox', { name: 'Text in Markdown' })
    await expect(box).toBeVisible()
    await school.invoke('save-draft', { lesson, body: 'Theirs.', draft_version: 1 })
    await box.fill('Mine.')
    await expect(page.getByText('Somebody else changed this lesson. Reload to see their version.')).toBeVisible()
    await expect(box).toHaveValue('Mine.')
    await expectAccessibleAtBothSizes(page)
    expect(await draftOf(school, lesson)).toBe('Theirs.')
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(box).toHaveValue('Theirs.')
    await page.getByRole('button', { name: 'Put mine back' }).click()
    await expect(box).toHaveValue('Mine.')
    await expect.poll(() => draftOf(school, lesson)).toBe('Mine.')
  })

  test('is published, and previewed as learners see it', async ({ page, school, signIn }) => {
    const lesson = await school.lesson(await school.section('One'), 'Breathing')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?lesson=${lesson}`)
    await page.getByRole('textbox', { name: 'Text in Markdown' }).fill('## In and out')
    await page.getByRole('button', { name: 'Publish' }).click()
    await expectToast(page, 'Lesson published')
    await expect(page.getByText('Published', { exact: true })).toBeVisible()
    await page.getByRole('textbox', { name: 'Text in Markdown' }).fill('## In, out')
    await expect(page.getByText('Unpublished changes')).toBeVisible()
    await page.getByRole('button', { name: 'Rename the lesson' }).click()
    await page.getByLabel('Title of the lesson').fill('Breath')
    await page.getByLabel('Title of the lesson').press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Breath', exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Preview as learner' }).click()
    await expect(page).toHaveURL(`/learn/${school.course}/${lesson}?preview=1`)
    await expect(
      page.getByRole('heading', { name: 'In and out' }).or(page.getByRole('heading', { name: 'In, out' })),
    ).toBeVisible()
    const [row] = await school.lessons()
    expect(row).toMatchObject({ title: 'Breath', state: 'published', preview: true })
    // From then on the number of lessons is no longer typed.
    await open(page, '/admin')
    await page.getByLabel('Search the courses').fill(school.title)
    await page.getByRole('button', { name: `Edit ${school.title}` }).click()
    await expect(page.getByText('Counted from the curriculum')).toBeVisible()
    await page.getByLabel('Duration').fill('6 weeks')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expectToast(page, 'Course updated successfully')
  })
})

test.describe('a video', () => {
  test('comes through a network that is cut twice, and a reload', async ({ page, school, signIn, server, watch }) => {
    watch.allow(/ERR_FAILED|ERR_CONNECTION/)
    const path = await film(server.data, 20 * 1024 * 1024)
    const lesson = await school.lesson(await school.section('One'), 'The slate', 'video')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?lesson=${lesson}`)
    await expectAccessibleAtBothSizes(page)
    const asked: string[] = []
    let pieces = 0
    let held = true
    await page.route('**/storage/v1/upload/resumable**', async (route) => {
      const method = route.request().method()
      asked.push(method)
      if (method === 'PATCH') {
        pieces += 1
        if (pieces === 1 || pieces === 3) return route.abort('connectionfailed')
        // The rest waits for the reload.
        if (pieces >= 4 && held) return
      }
      await route.continue()
    })
    await page.getByLabel('Video file').setInputFiles(path)
    await expect(page.getByText('Waiting for the network.')).toBeVisible()
    await expectAccessible(page)
    await expect.poll(() => pieces).toBeGreaterThan(3)
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText('Paused')).toBeVisible()
    await expectAccessible(page)

    held = false
    page.once('dialog', (dialog) => dialog.accept())
    await page.reload()
    await expect(page.getByText(/stopped at \d+%/)).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('The same file').setInputFiles(path)
    await expect(page.getByRole('button', { name: 'Replace' })).toBeVisible()
    expect(asked.filter((method) => method === 'POST')).toHaveLength(1)
    const piece = await school.invoke<{ video: { id: string } | null }>('studio-lesson', { lesson })
    expect(piece.video?.id).toBeTruthy()
    await expectAccessible(page, 'section[aria-label="Captions"]')
    await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 90_000 })
    await expect(page.getByRole('button', { name: 'Play Video' })).toBeVisible()
  })

  test('is cancelled, chosen anew, captioned and removed', async ({ page, school, signIn, server, watch }) => {
    watch.allow(/400 .*caption-lesson/)
    const path = await film(server.data)
    const lesson = await school.lesson(await school.section('One'), 'The slate', 'video')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?lesson=${lesson}`)
    await page.route('**/storage/v1/upload/resumable', () => {})
    await page.getByLabel('Video file').setInputFiles(path)
    await page.getByRole('button', { name: 'Cancel upload' }).click()
    await page.unroute('**/storage/v1/upload/resumable')
    await page.getByLabel('Video file').setInputFiles(path)
    await expect(page.getByRole('heading', { name: 'Captions' })).toBeVisible()

    const captions = join(server.data, 'slate.srt')
    await writeFile(captions, '1\n00:00:00,000 --> 00:00:02,000\nSay your name.\n')
    await page.getByLabel('Captions file').setInputFiles(captions)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save Captions' }).click()
    await expectToast(page, 'Captions saved')
    await page.getByRole('button', { name: 'Edit English' }).click()
    const box = page.getByLabel('Captions in English')
    await expect(box).toHaveValue(/Say your name\./)
    await box.fill('no captions at all')
    await page.getByRole('button', { name: 'Save Captions' }).click()
    await expect(page.locator('[data-sonner-toast][data-type=error]')).toBeVisible()
    await box.fill('WEBVTT\n\n00:00.000 --> 00:02.000\nYour name, please.\n')
    await page.getByRole('button', { name: 'Save Captions' }).click()
    await expect(page.getByRole('button', { name: 'Edit English' })).toBeVisible()
    const said = await school.invoke<{ text: string }>('lesson-captions', { lesson, language: 'en' })
    expect(said.text).toContain('Your name, please.')

    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Upload a video')).toBeVisible()
  })

  test('opens the course as its trailer', async ({ page, school, signIn, server }) => {
    const path = await film(server.data)
    await school.section('One')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?tab=settings`)
    await page.getByLabel('Video file').setInputFiles(path)
    await expect(page.getByRole('button', { name: 'Play Trailer' })).toBeVisible({ timeout: 90_000 })
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Upload a video')).toBeVisible()
  })

  test('has files beside it', async ({ page, school, signIn, server }) => {
    const lesson = await school.lesson(await school.section('One'), 'Reading')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?lesson=${lesson}`)
    const sheet = join(server.data, 'The scene.txt')
    await writeFile(sheet, 'INT. ROOM – NIGHT')
    await page.getByLabel('File for this lesson').setInputFiles(sheet)
    await expect(page.getByRole('list', { name: 'Files' }).getByText('The scene.txt')).toBeVisible()
    await expectAccessibleAtBothSizes(page)
    await page.getByRole('button', { name: 'Remove The scene.txt' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('No files yet.')).toBeVisible()
  })
})

test.describe('learners', () => {
  test('are listed with their progress, granted, revoked and restored', async ({
    page,
    school,
    signIn,
    server,
    watch,
  }) => {
    watch.allow(/404 .*grant-course/)
    const one = await school.section('One')
    for (const title of ['Alpha', 'Beta']) await school.published(one, title)
    const [alpha] = await school.lessons()
    const ada = await signIn()
    await call(server, 'POST', 'enrollments', { token: ada.token, body: { user_id: ada.id, course_id: school.course } })
    await invoke(
      server,
      'save-progress',
      { lesson: alpha?.id, position_seconds: 0, at: new Date().toISOString(), complete: true },
      ada.token,
    )
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?tab=learners`)
    const row = page.getByRole('row').filter({ hasText: ada.email })
    await expect(row.getByText('1 of 2')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Lessons by learners' }).getByRole('listitem')).toHaveText([
      /Alpha.*1 came · 1 done/,
      /Beta.*0 came · 0 done/,
    ])
    await expectAccessibleAtBothSizes(page)

    const menu = page.getByRole('button', { name: /^More for/ })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Open everything' }).click()
    await expect(row.getByText('Everything open')).toBeVisible()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Revoke access' }).click()
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await expect(page.getByText('Please say why.')).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    await page.getByLabel('Reason').fill('Shared the account')
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await expect(row.getByText('Revoked', { exact: true })).toBeVisible()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Restore access' }).click()
    await expect(row.getByText('Revoked', { exact: true })).toHaveCount(0)

    await page.getByRole('button', { name: 'Grant access' }).click()
    await page.getByLabel('Email of the account').fill('nobody@example.com')
    await page.getByLabel('Email of the account').press('Enter')
    await expectToast(page, 'No account has this address.')
    const loading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const sheet = await readFile(await (await loading).path(), 'utf8')
    expect(sheet).toContain(ada.email)
  })

  test('nobody yet, and who teaches is named by admins', async ({ page, school, signIn }) => {
    const mara = await signIn()
    await school.section('One')
    await signIn({ admin: true })
    await open(page, `/teach/${school.course}?tab=learners`)
    await expect(page.getByText('Nobody is in the house yet')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await expect(page.getByText('Nobody teaches this course yet.')).toBeVisible()
    await expectAccessibleAtBothSizes(page)
    await school.teacher(mara.id, true)
    await page.reload()
    const teachers = page.getByRole('list', { name: 'Teachers' })
    await expect(teachers.getByText('Mara Ellison')).toBeVisible()
    await page.getByRole('switch', { name: 'Mara Ellison may edit' }).click()
    await expect(page.getByRole('switch', { name: 'Mara Ellison may edit' })).not.toBeChecked()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove Mara Ellison' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(teachers.getByText('Mara Ellison')).toHaveCount(0)
  })
})
