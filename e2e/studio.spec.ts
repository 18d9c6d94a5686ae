import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { call } from './fixtures/rest'
import { film, invoke, School } from './fixtures/school'
import { startServer } from './fixtures/server'
import { test as base, expect, expectAccessible, expectAccessibleAtBothSizes, expectToast, open } from './fixtures/test'

const test = base.extend<{ school: School }>({
  school: async ({ server }, use) => {
    const school = await School.open(server)
    await use(school)
    await school.end()
  },
})

const run = promisify(execFile)

/** A picture that is wide enough for a poster. */
async function picture(folder: string): Promise<string> {
  const path = join(folder, `${randomUUID()}.png`)
  const drawn = ['-f', 'lavfi', '-i', 'color=c=red:size=800x450', '-frames:v', '1']
  await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', ...drawn, path])
  return path
}

const teachingOf = (school: School) => `/teach/${school.course}`

test('two tabs arrange one curriculum: the second is told, and shows what the first made', async ({
  page,
  school,
  signIn,
  watch,
}) => {
  watch.allow(/409 .*arrange-lessons/)
  const one = await school.section('One')
  for (const title of ['Alpha', 'Beta', 'Gamma']) await school.lesson(one, title)
  await signIn({ admin: true })
  await open(page, teachingOf(school))
  await expect(page.getByRole('link', { name: 'Gamma' })).toBeVisible()
  const [alpha, beta, gamma] = await school.lessons()
  const order = [gamma, alpha, beta].map((lesson) => lesson?.id)
  await school.invoke('arrange-lessons', { course: school.course, sections: [{ id: one, lessons: order }] })
  await page.getByRole('button', { name: 'Move Alpha down' }).click()
  await expectToast(page, 'Somebody else changed this curriculum. Reload to see it.')
  await expect(page.getByRole('region', { name: 'One' }).getByRole('link')).toHaveText(['Gamma', 'Alpha', 'Beta'])
  expect(await school.order()).toBe('One: Gamma, Alpha, Beta')
  // What is seen now can be changed.
  await page.getByRole('button', { name: 'Move Alpha down' }).click()
  await expectToast(page, 'Order saved')
  expect(await school.order()).toBe('One: Gamma, Beta, Alpha')
})

test('where there is no ffmpeg the studio says so; a preparation is cancelled and begun again', async ({
  page,
  database,
  signIn,
  server,
}) => {
  const bare = await startServer(database, { PATH: '/nowhere' })
  const school = await School.open(bare)
  const path = await film(server.data)
  const lesson = await school.lesson(await school.section('One'), 'The slate', 'video')
  await signIn({ admin: true, on: bare })
  await open(page, `${bare.url}${teachingOf(school)}?lesson=${lesson}`)
  await page.getByLabel('Video file').setInputFiles(path)
  await expect(page.getByText('ffmpeg is not on this machine')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByText('The preparation was cancelled.')).toBeVisible()
  await expectAccessible(page)
  const job = async () => (await school.invoke<{ video: { job: string } }>('studio-lesson', { lesson })).video.job
  expect(await job()).toBe('cancelled')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('progressbar', { name: 'Preparation of the video' })).toBeVisible()
  expect(await job()).toBe('queued')
  // A page that still asks for something would report the server that is gone.
  await page.goto('about:blank')
  await bare.stop()
})

test('a poster is a picture of their own, a frame, or what the film has', async ({ page, school, signIn, server }) => {
  const [path, photo] = [await film(server.data), await picture(server.data)]
  const lesson = await school.lesson(await school.section('One'), 'The slate', 'video')
  await signIn({ admin: true })
  await open(page, `${teachingOf(school)}?lesson=${lesson}`)
  await page.getByLabel('Video file').setInputFiles(path)
  const poster = page.getByRole('region', { name: 'Poster' })
  await expect(poster.getByRole('img', { name: 'The poster, a frame of the video' })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 90_000 })
  await poster.getByLabel('Picture for the poster').setInputFiles(photo)
  await expectToast(page, 'Poster saved')
  const chosen = poster.getByRole('img', { name: 'The poster that you chose' })
  await expect(chosen).toHaveJSProperty('naturalWidth', 800)
  await expect(page.locator('video')).toHaveAttribute('poster', /-chosen\.jpg$/)
  await expectAccessibleAtBothSizes(page)

  // What it shows before it has moved is mostly black.
  await poster.getByRole('button', { name: 'Use this frame' }).click()
  await expectToast(page, 'Play the video to the moment you want first.')
  await page.getByRole('button', { name: 'Play Video' }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
  await poster.getByRole('button', { name: 'Use this frame' }).click()
  await expect(chosen).toHaveJSProperty('naturalWidth', 640)

  await poster.getByRole('button', { name: 'Remove poster' }).click()
  await expectToast(page, 'Poster removed')
  await expect(poster.getByRole('img', { name: 'The poster, a frame of the video' })).toBeVisible()
})

test('where people stop in a video stands beside it', async ({ page, school, signIn, server }) => {
  const path = await film(server.data)
  const one = await school.section('One')
  const lesson = await school.lesson(one, 'The slate', 'video')
  // Who completes a course gets a certificate, and it stays.
  await school.published(one, 'Homework')
  const boss = await signIn({ admin: true })
  await open(page, `${teachingOf(school)}?lesson=${lesson}`)
  await page.getByLabel('Video file').setInputFiles(path)
  await expect(page.getByRole('button', { name: 'Play Video' })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 90_000 })
  await school.invoke('publish-lesson', { lesson })
  await call(server, 'POST', 'enrollments', { token: boss.token, body: { user_id: boss.id, course_id: school.course } })
  const report = { lesson, position_seconds: 3, at: new Date().toISOString(), covered: 'AQ==' }
  await invoke(server, 'save-progress', report, boss.token)
  await page.reload()
  await expect(page.getByRole('list', { name: 'Parts of the video by viewers' }).getByRole('listitem')).toHaveText([
    /0:00 – 0:04.*1 came · 1 saw it/,
  ])
  await expectAccessibleAtBothSizes(page)
})

test('a teacher is added by an address that is known to be theirs', async ({
  page,
  school,
  signIn,
  letterTo,
  server,
  watch,
}) => {
  watch.allow(/(404|409) .*add-teacher/)
  const mara = await signIn()
  await school.section('One')
  await signIn({ admin: true })
  await open(page, `${teachingOf(school)}?tab=settings`)
  const form = page.getByRole('form', { name: 'Add a teacher' })
  await form.getByRole('button', { name: 'Add teacher' }).click()
  await expect(form.getByText('Required')).toHaveCount(2)
  await form.getByLabel('Name that learners see').fill('Mara Ellison')
  await form.getByLabel('Email of the account').fill('nobody@example.com')
  await form.getByRole('button', { name: 'Add teacher' }).click()
  await expectToast(page, 'No account has this address.')
  await form.getByLabel('Email of the account').fill(mara.email)
  await form.getByRole('button', { name: 'Add teacher' }).click()
  await expectToast(page, /Ask its owner to confirm it/)

  const ask = (name: string, body: object) =>
    fetch(`${server.url}/auth/v1/${name}`, {
      method: 'POST',
      headers: { apikey: server.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  await ask('otp', { email: mara.email, create_user: false })
  const code = /\b\d{6}\b/.exec((await letterTo(mara.email)).text)?.[0]
  expect((await ask('verify', { type: 'email', email: mara.email, token: code })).status).toBe(200)
  await form.getByRole('button', { name: 'Add teacher' }).click()
  await expectToast(page, 'Teacher added')
  await expect(page.getByRole('list', { name: 'Teachers' }).getByText('Mara Ellison')).toBeVisible()
  await expectAccessible(page)
  await form.getByLabel('Email of the account').fill(mara.email)
  await form.getByLabel('Name that learners see').fill('Mara again')
  await form.getByRole('button', { name: 'Add teacher' }).click()
  await expectToast(page, 'This person already teaches the course.')
})

test('the studio leads to a new course, and says what it saved', async ({ page, school, signIn }) => {
  const one = await school.section('One')
  await school.published(one, 'Alpha')
  await signIn({ admin: true })
  await open(page, '/teach')
  await expect(page.getByRole('link', { name: 'New course' })).toHaveAttribute('href', '/admin')
  await expectAccessibleAtBothSizes(page)
  await open(page, `${teachingOf(school)}?tab=settings`)
  await page.getByRole('switch', { name: 'Open for enrollment' }).click()
  await expectToast(page, 'Enrollment is closed')
  await open(page, `/course/${school.course}`)
  await expect(page.getByText('Enrollment is closed.')).toBeVisible()
  await open(page, teachingOf(school))
  await page.getByRole('button', { name: 'More for Alpha' }).click()
  await page.getByRole('menuitem', { name: 'When it opens' }).click()
  await page.getByLabel('Some days after a learner enrolls').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Schedule saved')
})

test('Back closes the lessons on a phone, and then leaves the lesson', async ({ page, school, signIn }) => {
  const lesson = await school.published(await school.section('One'), 'Alpha')
  await signIn()
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, `/course/${school.course}`)
  await page.getByRole('link', { name: 'Alpha' }).first().click()
  await expect(page).toHaveURL(`/learn/${school.course}/${lesson}`)
  await page.getByRole('button', { name: /^Lessons/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(`/learn/${school.course}/${lesson}`)
  await page.goBack()
  await expect(page).toHaveURL(`/course/${school.course}`)
})
