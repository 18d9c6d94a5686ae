import { type Page, request } from '@playwright/test'
import { rows } from './fixtures/rest'
import {
  expect,
  expectAccessible,
  expectToast,
  holdScript,
  hydrated,
  open,
  openRendered,
  rendered,
  test,
} from './fixtures/test'
import { hostile, ofLength, worldly } from './fixtures/texts'

const nobody = '00000000-0000-0000-0000-000000000000'
const inbox = 'hello@greenroom.example'

type Row = {
  user_id: string
  course_title: string
  course_description: string | null
  instructor_name: string | null
  email: string
  kind: string
}

type Form = {
  path: string
  title: string
  button: string
  fields: Record<string, string>
  required: string[]
  missing: string
  signIn: string
  sent: string
  failed: string
  stored: Pick<Row, 'course_title' | 'course_description' | 'instructor_name' | 'kind'>
}

const email = 'writer@example.com'

// The three forms that ask for an account when they are sent.
const forms: Form[] = [
  {
    path: '/help-center',
    title: 'Help Center',
    button: 'Send Message',
    fields: { Name: 'Ada', Email: email, Subject: 'No sound', Message: 'One\nTwo' },
    required: ['Name', 'Email', 'Subject', 'Message'],
    missing: 'Please fill in all fields',
    signIn: 'Please sign in to send a message',
    sent: "Message sent successfully! We'll get back to you soon.",
    failed: 'Failed to send message. Please try again.',
    stored: {
      course_title: 'Help: No sound',
      course_description: 'Name: Ada\nMessage: One\nTwo',
      instructor_name: 'Help Center',
      kind: 'help',
    },
  },
  {
    path: '/investor-relations',
    title: 'Investor Relations',
    button: 'Send Inquiry',
    fields: { Name: 'Ada', Email: email, Message: 'Hello' },
    required: ['Name', 'Email', 'Message'],
    missing: 'Please fill in all required fields',
    signIn: 'Please sign in to send an inquiry',
    sent: "Thank you for your interest! We'll be in touch soon.",
    failed: 'Failed to send inquiry. Please try again.',
    stored: {
      course_title: 'Investor Inquiry: Ada',
      course_description: 'Name: Ada\nMessage: Hello',
      instructor_name: 'Investor Relations',
      kind: 'investor',
    },
  },
  {
    path: '/sponsorships',
    title: 'Corporate Sponsorships',
    button: 'Send Inquiry',
    fields: {
      Company: 'Acme',
      'Contact Name': 'Ada',
      Email: email,
      'Phone (optional)': '+1 555 0100',
      Message: 'Hello',
    },
    required: ['Company', 'Contact Name', 'Email', 'Message'],
    missing: 'Please fill in all required fields',
    signIn: 'Please sign in to send a sponsorship inquiry',
    sent: 'Thank you for your interest! Our team will contact you shortly.',
    failed: 'Failed to send inquiry. Please try again.',
    stored: {
      course_title: 'Sponsorship Inquiry: Acme',
      course_description: 'Name: Ada\nCompany: Acme\nPhone: +1 555 0100\nMessage: Hello',
      instructor_name: 'Corporate Sponsorships',
      kind: 'sponsorship',
    },
  },
]

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })

async function fill(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value)
}

/** What the admins see of the messages from an address. */
async function rowsFrom(
  server: { url: string; apiKey: string; command: (...args: string[]) => Promise<string> },
  sender: string,
) {
  const context = await request.newContext({ baseURL: server.url, extraHTTPHeaders: { apikey: server.apiKey } })
  const admin = `admin-${Math.random()}@example.com`
  const signUp = await context.post('/auth/v1/signup', {
    data: { email: admin, password: 'a very long velvet curtain' },
  })
  const { access_token: token } = await signUp.json()
  await server.command('admin', 'grant', '--unproven', admin)
  const answer = await context.get(
    `/rest/v1/course_recommendations?select=*&order=created_at.desc&email=eq.${encodeURIComponent(sender)}`,
    { headers: { Authorization: `Bearer ${token}` } },
  )
  expect(answer.status()).toBe(200)
  return (await answer.json()) as Row[]
}

for (const form of forms) {
  test.describe(form.title, () => {
    test('says what is missing, then sends a stranger to sign in and keeps what was typed', async ({
      page,
      signIn,
    }) => {
      await open(page, form.path)
      await page.getByRole('button', { name: form.button }).click()
      await expectToast(page, form.missing)
      for (const label of form.required) {
        await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
        await expect(field(page, label)).toHaveAccessibleDescription(/Required/)
      }
      await expect(field(page, form.required[0] as string)).toBeFocused()
      await fill(page, Object.fromEntries(Object.keys(form.fields).map((label) => [label, '   '])))
      await page.getByRole('button', { name: form.button }).click()
      await expect(field(page, form.required[0] as string)).toHaveAttribute('aria-invalid', 'true')
      await fill(page, { ...form.fields, Email: 'nobody' })
      await page.getByRole('button', { name: form.button }).click()
      await expectToast(page, 'Invalid email address')
      await expect(field(page, 'Email')).toHaveAccessibleDescription(/Invalid email address/)
      await fill(page, form.fields)
      await page.getByRole('button', { name: form.button }).click()
      await expectToast(page, form.signIn)
      await expect(page).toHaveURL('/auth')
      await signIn()
      await open(page, form.path)
      for (const [label, value] of Object.entries(form.fields)) await expect(field(page, label)).toHaveValue(value)
    })

    test('says before anything is written what it takes to send it', async ({ page, signIn }) => {
      await open(page, form.path)
      const note = page.getByText(/You’ll need to sign in to send this/)
      await expect(note).toBeVisible()
      await fill(page, { Message: 'A long text' })
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await expect(page).toHaveURL('/auth')
      expect(await page.evaluate(() => sessionStorage.getItem('greenroom.wanted'))).toBe(form.path)
      const { email: own } = await signIn()
      await open(page, form.path)
      await expect(field(page, 'Message')).toHaveValue('A long text')
      await expect(page.getByText(`Signed in as ${own}`)).toBeVisible()
      await expect(note).toBeHidden()
    })

    test('stores and mails what a signed-in person writes @both', async ({ page, server, signIn, letterTo }) => {
      const person = await signIn()
      const sender = `from-${person.email}`
      await open(page, form.path)
      await expect(field(page, 'Email')).toHaveValue(person.email)
      await fill(page, { ...form.fields, Email: sender })
      await page.getByRole('button', { name: form.button }).click()
      await expectToast(page, form.sent)
      for (const label of Object.keys(form.fields).filter((one) => one !== 'Email'))
        await expect(field(page, label)).toHaveValue('')
      expect(await rowsFrom(server, sender)).toMatchObject([{ ...form.stored, user_id: person.id, email: sender }])
      await expect.poll(async () => (await letterTo(inbox)).text).toContain(sender)
    })

    test('keeps what cannot be sent, and succeeds without the notification', async ({ page, signIn, watch }) => {
      await signIn()
      watch.allow(/500|503|Failed to load resource|The notification was not sent/)
      const table = '**/rest/v1/course_recommendations*'
      await page.route(table, (route) => route.fulfill({ status: 500, json: {} }))
      await open(page, form.path)
      await fill(page, form.fields)
      await page.getByRole('button', { name: form.button }).click()
      await expectToast(page, form.failed)
      for (const [label, value] of Object.entries(form.fields)) await expect(field(page, label)).toHaveValue(value)
      await page.unroute(table)
      await page.route('**/functions/v1/**', (route) =>
        route.fulfill({ status: 503, json: { code: 'X', message: 'x' } }),
      )
      await page.getByRole('button', { name: form.button }).click()
      await expectToast(page, form.sent)
      await expect.poll(() => watch.lines.join('\n')).toContain('The notification was not sent')
    })
  })
}

test('help and contact say when somebody answers', async ({ page }) => {
  for (const [path, time] of [
    ['/help-center', '24-48 hours'],
    ['/contact', '24 hours'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(`We reply within ${time}`)).toBeVisible()
    await expect(page.getByText('Mon-Fri 9-6 PST')).toBeVisible()
    await expect(page.getByText('Closed at weekends')).toBeVisible()
  }
})

for (const path of ['/help-center', '/contact', '/investor-relations', '/sponsorships'])
  test(`on a phone the form of ${path} is on the first screen`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(path)
    await expect(page.getByRole('textbox').first()).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('textbox').nth(1)).toBeInViewport({ ratio: 1 })
  })

test('what is typed before the app has started stays', async ({ page }) => {
  const start = await holdScript(page)
  await rendered(page, '/contact')
  await page.goto('/contact', { waitUntil: 'commit' })
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeDisabled()
  await field(page, 'Message').fill('I was here first')
  start()
  await hydrated(page)
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled()
  await expect(field(page, 'Message')).toHaveValue('I was here first')
})

test.describe('Contact', () => {
  const message = { Name: 'Grace', Subject: 'Press', Message: 'Hello' }

  test('leaves what is missing to the browser', async ({ page }) => {
    await open(page, '/contact')
    expect(await page.getByRole('form', { name: 'Contact' }).evaluate((form: HTMLFormElement) => form.noValidate)).toBe(
      false,
    )
    await page.getByRole('button', { name: 'Send Message' }).click()
    for (const label of ['Name', 'Email', 'Subject', 'Message'])
      expect(await field(page, label).evaluate((input: HTMLInputElement) => input.validity.valueMissing), label).toBe(
        true,
      )
    await expect(field(page, 'Name')).toBeFocused()
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  })

  test('works without an account, under the nil user id @both', async ({ page, server, letterTo }) => {
    const sender = `grace-${Math.random()}@example.com`
    await open(page, '/contact')
    await fill(page, { ...message, Email: sender })
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expectToast(page, "Message sent successfully! We'll get back to you soon.")
    expect(await rowsFrom(server, sender)).toMatchObject([
      {
        user_id: nobody,
        course_title: 'Press',
        course_description: 'Message: Hello',
        instructor_name: 'Contact: Grace',
        kind: 'contact',
      },
    ])
    await expect.poll(async () => (await letterTo(inbox)).text).toContain(sender)
  })

  test('is sent under the own id by who is signed in', async ({ page, server, signIn }) => {
    const person = await signIn()
    await open(page, '/contact')
    await expect(field(page, 'Email')).toHaveValue(person.email)
    await fill(page, message)
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expectToast(page, "Message sent successfully! We'll get back to you soon.")
    expect(await rowsFrom(server, person.email)).toMatchObject([{ user_id: person.id }])
  })

  test('does not take what a machine filled in', async ({ page, server }) => {
    const sender = `bot-${Math.random()}@example.com`
    await open(page, '/contact')
    await fill(page, { ...message, Email: sender })
    await page.locator('input[name="reference_url"]').evaluate((input: HTMLInputElement) => {
      input.value = 'https://spam.example'
    })
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expectToast(page, 'Failed to send message. Please try again.')
    expect(await rowsFrom(server, sender)).toEqual([])
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expectToast(page, "Message sent successfully! We'll get back to you soon.")
  })
})

test.describe('Recommend a New Course', () => {
  const path = '/recommendations'

  test('turns a stranger away on opening, and brings them back', async ({ page }) => {
    await page.goto(path)
    await expectToast(page, 'Please log in to submit recommendations')
    await expect(page).toHaveURL('/auth')
    expect(await page.evaluate(() => sessionStorage.getItem('greenroom.wanted'))).toBe(path)
  })

  test('is accessible, and knows the address of who is signed in', async ({ page, signIn }) => {
    const { email: own } = await signIn()
    await openRendered(page, path)
    await expect(page.getByRole('heading', { level: 1, name: 'Recommend a New Course' })).toBeVisible()
    await expect(field(page, 'Email')).toHaveValue(own)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })

  test('says the first error in the toast and each at its field', async ({ page, signIn }) => {
    await signIn()
    await open(page, path)
    await expect(field(page, 'Email')).not.toHaveValue('')
    const submit = page.getByRole('button', { name: 'Submit Recommendation' })
    await fill(page, { 'Course Title': '  ', Email: 'nobody' })
    await submit.click()
    await expectToast(page, 'Course title is required')
    await expect(field(page, 'Course Title')).toHaveAccessibleDescription('Course title is required')
    await expect(field(page, 'Email')).toHaveAccessibleDescription('Valid email is required')
    await fill(page, { 'Course Title': 'Falls' })
    await submit.click()
    await expectToast(page, 'Valid email is required')
    for (const [label, most] of [
      ['Course Title', 100],
      ['Description (optional)', 500],
      ['Instructor Name (optional)', 100],
    ] as const) {
      await open(page, path)
      await expect(field(page, 'Email')).not.toHaveValue('')
      await fill(page, { 'Course Title': 'Falls', Email: email, [label]: 'x'.repeat(most + 1) })
      await submit.click()
      await expectToast(page, `String must contain at most ${most} character(s)`)
      await expect(field(page, label)).toHaveAccessibleDescription(new RegExp(`at most ${most}`))
      await fill(page, { [label]: '' })
    }
  })

  test('stores a recommendation as it is @both', async ({ page, server, signIn }) => {
    const person = await signIn()
    await open(page, path)
    await expect(field(page, 'Email')).toHaveValue(person.email)
    await fill(page, { 'Course Title': ` ${'t'.repeat(100)} ` })
    await page.getByRole('button', { name: 'Submit Recommendation' }).click()
    await expectToast(page, 'Thank you for your recommendation!')
    expect(await rowsFrom(server, person.email)).toMatchObject([
      {
        user_id: person.id,
        course_title: 't'.repeat(100),
        course_description: null,
        instructor_name: null,
        kind: 'recommendation',
      },
    ])
  })

  test('asks to log in first when the session was lost meanwhile', async ({ page, server, signIn, watch }) => {
    const person = await signIn()
    watch.allow(/401|403|Failed to load resource/)
    await open(page, path)
    await expect(field(page, 'Email')).toHaveValue(person.email)
    await fill(page, { 'Course Title': 'Falls' })
    const ended = await page.request.post('/auth/v1/logout?scope=global', {
      headers: { apikey: server.apiKey, Authorization: `Bearer ${person.token}` },
    })
    expect(ended.status()).toBe(204)
    await page.getByRole('button', { name: 'Submit Recommendation' }).click()
    await expectToast(page, 'Please log in first')
    await expect(page).toHaveURL('/auth')
    await signIn()
    await open(page, path)
    await expect(field(page, 'Course Title')).toHaveValue('Falls')
  })

  test('shows what the server said, or that it failed', async ({ page, signIn, watch }) => {
    await signIn()
    watch.allow(/400|Failed to load resource|ERR_FAILED/)
    await open(page, path)
    await expect(field(page, 'Email')).not.toHaveValue('')
    await fill(page, { 'Course Title': 'Falls' })
    const table = '**/rest/v1/course_recommendations*'
    await page.route(table, (route) =>
      route.fulfill({
        status: 400,
        json: { code: '23514', message: 'No more falls, please.', details: null, hint: null },
      }),
    )
    await page.getByRole('button', { name: 'Submit Recommendation' }).click()
    await expectToast(page, 'No more falls, please.')
    await page.unroute(table)
    await page.route(table, (route) => route.abort())
    await page.getByRole('button', { name: 'Submit Recommendation' }).click()
    await expectToast(page, 'Failed to submit recommendation')
    await expect(field(page, 'Course Title')).toHaveValue('Falls')
  })

  test('can be sent by keyboard alone', async ({ page, signIn }) => {
    await signIn()
    await open(page, path)
    await expect(field(page, 'Email')).not.toHaveValue('')
    await field(page, 'Course Title').focus()
    await page.keyboard.type('Falls')
    for (const label of ['Description (optional)', 'Instructor Name (optional)', 'Email']) {
      await page.keyboard.press('Tab')
      await expect(field(page, label)).toBeFocused()
    }
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Submit Recommendation' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectToast(page, 'Thank you for your recommendation!')
  })
})

test('any text in any field comes back as it went in @both', async ({ page, server, signIn, letterTo }) => {
  const person = await signIn()
  const text = ofLength(5000)
  await open(page, '/sponsorships')
  await expect(field(page, 'Email')).toHaveValue(person.email)
  await fill(page, {
    Company: hostile,
    'Contact Name': worldly,
    'Phone (optional)': `=1+1 ${worldly}`,
    Message: text,
  })
  await page.getByRole('button', { name: 'Send Inquiry' }).click()
  await expectToast(page, 'Thank you for your interest! Our team will contact you shortly.')
  await open(page, '/recommendations')
  await expect(field(page, 'Email')).toHaveValue(person.email)
  await fill(page, {
    'Course Title': hostile,
    'Description (optional)': `${worldly}\n${hostile}`,
    'Instructor Name (optional)': worldly,
  })
  await page.getByRole('button', { name: 'Submit Recommendation' }).click()
  await expectToast(page, 'Thank you for your recommendation!')
  expect(await rowsFrom(server, person.email)).toMatchObject([
    { course_title: hostile, course_description: `${worldly}\n${hostile}`, instructor_name: worldly },
    {
      course_title: `Sponsorship Inquiry: ${hostile}`,
      course_description: `Name: ${worldly}\nCompany: ${hostile}\nPhone: =1+1 ${worldly}\nMessage: ${text}`,
    },
  ])
  await expect.poll(async () => (await letterTo(inbox)).text).toContain(person.email)
  const letter = await letterTo(inbox)
  const plain = letter.text.replace(/\s+/g, ' ')
  expect(plain).toContain(worldly)
  expect(plain).toContain(hostile)
  expect(plain.replaceAll(' > ', ' ')).toContain(text.replace(/\s+/g, ' '))
  expect(letter.html).not.toMatch(/<script|<img/)
})

test('Investor Relations and Sponsorships say what there is, counted, and what comes next', async ({
  page,
  server,
}) => {
  const all = await rows(server, 'courses?select=id')
  for (const [path, next] of [
    ['/investor-relations', 'What happens next'],
    ['/sponsorships', 'Ways to take part'],
  ] as const) {
    await open(page, path)
    const main = page.getByRole('main')
    await expect(
      main
        .getByRole('definition')
        .filter({ hasText: String(all.length) })
        .first(),
    ).toBeVisible()
    await expect(main.getByText('courses in the catalog')).toBeVisible()
    await expect(main.getByRole('region', { name: next }).getByRole('listitem')).toHaveCount(3)
  }
})
