import { call } from './fixtures/rest'
import { invoke, School } from './fixtures/school'
import {
  test as base,
  expect,
  expectAccessibleAtBothSizes,
  expectToast,
  open,
  openRendered,
  type Person,
  rendered,
} from './fixtures/test'

type Fixtures = { school: School; ada: Person; lesson: string }

// Somebody who takes a course of one lesson. They leave before it goes: a course of which there are certificates stays.
const test = base.extend<Fixtures>({
  school: async ({ server }, use) => {
    const school = await School.open(server)
    await use(school)
    await school.end()
  },
  ada: async ({ school, server, signIn, page }, use) => {
    const ada = await signIn()
    await page.request.put(`${server.url}/auth/v1/user`, {
      headers: { apikey: server.apiKey, Authorization: `Bearer ${ada.token}` },
      data: { data: { name: 'Zoë Łukasiewicz-Brontë' } },
    })
    await use(ada)
    await page.goto('about:blank')
    await invoke(school.server, 'delete-account', { password: ada.password }, ada.token)
  },
  lesson: async ({ school, ada, server }, use) => {
    const lesson = await school.published(await school.section('One'), 'Where to stand')
    await call(server, 'POST', 'enrollments', {
      token: ada.token,
      body: { user_id: ada.id, course_id: school.course },
    })
    await use(lesson)
  },
})

const completed = async (school: School, ada: Person, lesson: string) =>
  (await invoke<{ certificate: string }>(school.server, 'save-progress', { lesson, complete: true }, ada.token))
    .certificate

test('who completes a course finds the certificate, on the course, in My Learning and in an email @both', async ({
  page,
  school,
  ada,
  lesson,
  letterTo,
}) => {
  await open(page, `/learn/${school.course}/${lesson}`)
  await page.getByRole('button', { name: 'Mark as complete' }).click()
  await expectToast(page, 'Course completed! Your certificate is ready.')
  await open(page, '/learn')
  const link = page.getByRole('link', { name: 'View Certificate' })
  await expect(link).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await open(page, `/course/${school.course}`)
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Zoë Łukasiewicz-Brontë' })).toBeVisible()
  await expect(page.getByText('This certificate is valid.')).toBeVisible()
  const { subject, links } = await letterTo(ada.email)
  expect(subject).toBe(`Your certificate: ${school.title}`)
  expect(links).toContain(page.url())
})

test('anybody sees whether a certificate is valid, without a script and on paper @both', async ({
  page,
  school,
  ada,
  lesson,
  server,
  browser,
}) => {
  const code = await completed(school, ada, lesson)
  const path = `/certificate/${code}`
  await rendered(page, path)
  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const quiet = await plain.newPage()
  await quiet.goto(`/certificate/${code.toLowerCase().replaceAll('-', '')}`)
  await expect(quiet).toHaveURL(path)
  await expect(quiet.getByText('This certificate is valid.')).toBeVisible()
  await expect(quiet.getByRole('heading', { level: 1, name: 'Zoë Łukasiewicz-Brontë' })).toBeVisible()
  const file = await quiet.request.get(
    (await quiet.getByRole('link', { name: 'Download PDF' }).getAttribute('href')) ?? '',
  )
  expect(file.headers()['content-type']).toBe('application/pdf')
  const qr = quiet.getByRole('img', { name: 'QR code of this page', includeHidden: true })
  await expect(qr).toBeHidden()
  await quiet.emulateMedia({ media: 'print' })
  await expect(qr).toBeVisible()
  await expect(quiet.getByRole('navigation').first()).toBeHidden()
  await expect(quiet.getByRole('contentinfo')).toBeHidden()
  await expect(quiet.getByRole('link', { name: 'Download PDF' })).toBeHidden()
  await expect(quiet.getByText(`Verify at ${new URL(server.url).host}${path}`)).toBeVisible()
  await plain.close()
  expect(await openRendered(page, path)).toBe(200)
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
  await expectAccessibleAtBothSizes(page)

  await call(server, 'PATCH', `certificates?code=eq.${code}`, {
    token: school.boss,
    body: { revoked_at: '2026-11-20T10:00:00Z', revoked_for: 'It was somebody else’s work.' },
  })
  // Its holder is told why; anybody else is not.
  await page.evaluate(() => localStorage.clear())
  await expect(async () => {
    await openRendered(page, path)
    await expect(page.getByText('This certificate was withdrawn on November 20, 2026.')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(page.getByRole('link', { name: 'Download PDF' })).toBeHidden()
  await expect(page.getByText('somebody else’s work')).toBeHidden()
  await expectAccessibleAtBothSizes(page)
})

test('who had no name puts it on, and an admin withdraws and restores it by the page', async ({
  page,
  school,
  server,
  lesson,
  ada,
  signIn,
}) => {
  await page.request.put(`${server.url}/auth/v1/user`, {
    headers: { apikey: server.apiKey, Authorization: `Bearer ${ada.token}` },
    data: { data: { name: '' } },
  })
  const code = await completed(school, ada, lesson)
  const path = `/certificate/${code}`
  await open(page, path)
  await expect(page.getByRole('heading', { level: 1, name: 'A learner' })).toBeVisible()
  const form = page.getByRole('form', { name: 'Your name on it' })
  await form.getByLabel('Name').fill(' ')
  await page.keyboard.press('Enter')
  await expect(form.getByText('Enter your name')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  await form.getByLabel('Name').fill('Zoë Łukasiewicz')
  await expect(form.getByText('Enter your name')).toHaveCount(0)
  await page.keyboard.press('Enter')
  const sure = page.getByRole('alertdialog', { name: 'Put “Zoë Łukasiewicz” on your certificate?' })
  await sure.getByRole('button', { name: 'Cancel' }).click()
  await form.getByRole('button', { name: 'Add My Name' }).click()
  await sure.getByRole('button', { name: 'Add My Name' }).click()
  await expectToast(page, 'Your name is on your certificate')
  await expect(page.getByRole('heading', { level: 1, name: 'Zoë Łukasiewicz' })).toBeFocused()
  await expect(form).toBeHidden()
  await expect(page.getByRole('button', { name: 'Withdraw Certificate' })).toHaveCount(0)

  await signIn({ admin: true })
  await open(page, `/teach/${school.course}?tab=learners`)
  await page.getByRole('link', { name: 'Certificate of Zoë Łukasiewicz' }).click()
  await expect(page).toHaveURL(path)
  await page.getByRole('button', { name: 'Withdraw Certificate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw Certificate' })
  await dialog.getByRole('button', { name: 'Withdraw Certificate' }).click()
  await expect(dialog.getByText('Please say why.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('It was somebody else’s work.')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Certificate withdrawn')
  await expect(page.getByText(/^This certificate was withdrawn on/)).toBeVisible()
  await expect(page.getByText('Reason: It was somebody else’s work.')).toBeVisible()
  await expectAccessibleAtBothSizes(page)
  const [mine] = await invoke<{ courses: { certificate: string | null; withdrawn_certificate: string }[] }>(
    server,
    'my-learning',
    {},
    ada.token,
  ).then(({ courses }) => courses)
  expect(mine).toMatchObject({ certificate: null, withdrawn_certificate: code })
  await page.getByRole('button', { name: 'Restore Certificate' }).click()
  await expectToast(page, 'Certificate restored')
  await expect(page.getByText('This certificate is valid.')).toBeVisible()
})

test('a code that stands for nothing is not found, whatever it looks like', async ({ page, watch }) => {
  watch.allow(/status of 404/)
  for (const code of ['0000-0000-0000', 'what']) {
    expect(await openRendered(page, `/certificate/${code}`)).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Certificate not found' })).toBeVisible()
  }
  await expectAccessibleAtBothSizes(page)
})
