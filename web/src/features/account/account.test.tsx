import { authService, type Call, factorOf, refusal, sessionOf } from '@test/auth-service'
import { show } from '@test/show'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { saveDraft } from '@/lib/draft'
import { rememberWanted } from '@/lib/memory'
import { auth, currentSession } from '@/lib/session'
import { AccountScreen } from './account-screen'
import { SettingsScreen } from './settings-screen'

const Settings = () => <SettingsScreen SecondStep={() => <p>second step</p>} factors={() => <p>factors</p>} />

const session = sessionOf('mara@example.com')
const good = 'correct horse battery'
const roles = 'GET /rest/v1/user_roles'
const devices = 'GET /functions/v1/sessions'
const device = (id: string, name: string, current = false) => ({
  id,
  device: name,
  address: '192.0.2.7',
  created_at: '2026-11-01T12:00:00Z',
  last_seen_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  current,
})
const service = { 'GET /user': () => ({ body: session.user }), 'POST /logout': () => ({ status: 204 }) }

async function open(
  screenOf: typeof AccountScreen,
  path: string,
  answers: Parameters<typeof authService>[0] = {},
  as = session,
) {
  const calls = authService({
    ...service,
    [roles]: () => ({ body: [] }),
    [devices]: () => ({ body: { sessions: [] } }),
    ...answers,
  })
  await (await auth()).setSession(as)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  calls.length = 0
  const Screen = screenOf
  show(<Screen />, path)
  return calls
}

/** What was asked of the auth service itself. */
const asked = (calls: Call[]) => calls.map(({ name }) => name).filter((name) => !name.includes('/functions/'))

const isAt = (path: string) => waitFor(() => expect(screen.getByTestId('address').textContent).toBe(path))

afterEach(async () => {
  authService(service)
  await (await auth()).signOut({ scope: 'local' })
  vi.unstubAllGlobals()
})

describe('the account', () => {
  it('shows whose it is', async () => {
    await open(AccountScreen, '/account')
    screen.getByText('mara@example.com')
    screen.getByText(session.user.id)
    expect(screen.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe('/settings')
    expect(screen.queryByText('Admin Account')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Admin Panel' })).toBeNull()
  })

  it('shows an admin the badge and the panel', async () => {
    await open(AccountScreen, '/account', { [roles]: () => ({ body: [{ role: 'admin' }] }) })
    await screen.findByText('Admin Account')
    expect(screen.getByRole('link', { name: 'Admin Panel' }).getAttribute('href')).toBe('/admin')
  })

  it.each([204, 401, 403, 404, 500])('logs out and forgets the visit when the server answers %i', async (status) => {
    rememberWanted('/my-list')
    saveDraft('help', { message: 'mara@example.com' })
    await open(AccountScreen, '/account', { 'POST /logout': () => ({ status, body: { message: 'no' } }) })
    await userEvent.click(screen.getByRole('button', { name: 'Log out' }))
    await screen.findByText('Logged out successfully')
    await isAt('/auth')
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).toBe('[{},{}]')
  })
})

describe('a change of password', () => {
  const fill = async (first: string, second: string) => {
    await userEvent.clear(screen.getByLabelText('New password'))
    await userEvent.type(screen.getByLabelText('New password'), first)
    await userEvent.clear(screen.getByLabelText('Confirm password'))
    await userEvent.type(screen.getByLabelText('Confirm password'), second)
    await userEvent.click(screen.getByRole('button', { name: 'Update Password' }))
  }

  it('wants ten characters, twice the same', async () => {
    const calls = await open(Settings, '/settings')
    await fill('short', 'other')
    await screen.findByText('Passwords do not match')
    screen.getByText('Password must be at least 10 characters')
    expect(asked(calls)).toEqual([])
  })

  it('says that it is done and empties the form', async () => {
    const calls = await open(Settings, '/settings', { 'PUT /user': () => ({ body: session.user }) })
    await fill(good, good)
    await screen.findByText('Password updated successfully')
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe(''))
    expect(asked(calls)).toEqual(['PUT /user'])
    expect(currentSession().status).toBe('signed-in')
  })

  it('asks for the mailed code only when the server does, and says when it is wrong', async () => {
    const calls = await open(Settings, '/settings', {
      'PUT /user': ({ nonce }) =>
        nonce === '123456'
          ? { body: session.user }
          : nonce
            ? refusal(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
            : refusal(400, 'reauthentication_needed', 'Password update requires reauthentication'),
      'GET /reauthenticate': () => ({}),
    })
    expect(screen.queryByLabelText('Code from your email')).toBeNull()
    await fill(good, good)
    const code = await screen.findByLabelText('Code from your email')
    expect(asked(calls)).toEqual(['PUT /user', 'GET /reauthenticate'])
    const update = () => userEvent.click(screen.getByRole('button', { name: 'Update Password' }))
    await update()
    await screen.findByText('Enter the code from the email')
    await userEvent.type(code, '999999')
    await update()
    await screen.findByText('That code is wrong or has expired. Check the latest email.')
    await userEvent.clear(code)
    await userEvent.type(code, ' 123456 ')
    await update()
    await screen.findByText('Password updated successfully')
    await waitFor(() => expect(screen.queryByLabelText('Code from your email')).toBeNull())
  })

  it('goes to sign-in when the server has ended the session', async () => {
    await open(Settings, '/settings', {
      'PUT /user': () => refusal(403, 'session_not_found', 'Session not found'),
    })
    await fill(good, good)
    await screen.findByText('Your session has ended. Please sign in again.')
    await isAt('/auth')
  })

  it('leads back to the account', async () => {
    await open(Settings, '/settings')
    expect(screen.getByRole('link', { name: 'Back to account' }).getAttribute('href')).toBe('/account')
  })
})

describe('the settings', () => {
  it('ask for the second step before what it guards, and show the rest', async () => {
    const half = sessionOf('mara@example.com', 'password', { factors: [factorOf('Pixel')] })
    await open(Settings, '/settings', { 'GET /user': () => ({ body: half.user }) }, half)
    await screen.findByText('second step')
    for (const name of ['Change password', 'Delete account']) expect(screen.queryByRole('heading', { name })).toBeNull()
    expect(screen.queryByText('factors')).toBeNull()
    screen.getByRole('heading', { name: 'Devices' })
    screen.getByRole('button', { name: 'Download my data' })
  })

  it('show the devices, this one first, and end another', async () => {
    const list = [
      device('b', 'Safari on iPhone'),
      device('a', 'Chrome on macOS', true),
      device('c', 'Firefox on Linux'),
    ]
    const calls = await open(Settings, '/settings', {
      [devices]: () => ({ body: { sessions: list } }),
      'POST /functions/v1/sessions': ({ end }) =>
        end === 'c' ? refusal(404, 'not_found', 'That session has already ended.') : { body: { ended: end } },
    })
    const row = async (name: RegExp) => (await screen.findByText(name)).closest('li') as HTMLElement
    expect((await screen.findAllByRole('listitem'))[0]?.textContent).toContain('This device')
    expect((await row(/Safari on iPhone/)).textContent).toContain('Last seen 3 hours ago')
    await userEvent.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }))
    await screen.findByText('Safari on iPhone was signed out')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Devices'))
    await userEvent.click(screen.getByRole('button', { name: 'Sign out Firefox on Linux' }))
    // It had ended already.
    await screen.findByText('Firefox on Linux was signed out')
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
    expect(calls.filter(({ name }) => name.startsWith('POST')).map(({ body }) => body.end)).toEqual(['b', 'c'])
  })

  it('say when the devices could not be loaded', async () => {
    let works = false
    await open(Settings, '/settings', {
      [devices]: () =>
        works ? { body: { sessions: [device('a', 'Chrome on macOS', true)] } } : refusal(503, 'overloaded', 'Too busy'),
    })
    await screen.findByText('Your devices could not be loaded')
    works = true
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Chrome on macOS')
  })
})

describe('deleting the account', () => {
  const ask = async (password: string, word: string) => {
    await userEvent.clear(screen.getByLabelText('Password'))
    if (password) await userEvent.type(screen.getByLabelText('Password'), password)
    await userEvent.clear(screen.getByLabelText('Type DELETE to confirm'))
    if (word) await userEvent.type(screen.getByLabelText('Type DELETE to confirm'), word)
    await userEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
  }

  it('takes the word and the password, says goodbye and forgets who was here', async () => {
    const calls = await open(Settings, '/settings', {
      'POST /functions/v1/delete-account': ({ password }) =>
        password === good
          ? { body: { deleted: true } }
          : password
            ? refusal(403, 'current_password_invalid', 'That is not your password.')
            : refusal(403, 'reauthentication_needed', 'Enter your password, or sign in again first.'),
    })
    const erased = () => calls.filter(({ name }) => name.includes('delete-account')).length
    await userEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
    await ask(good, '')
    await screen.findByText('Type the word DELETE')
    expect(erased()).toBe(0)
    await ask('', 'delete')
    await screen.findByRole('button', { name: 'Sign in again' })
    await ask('something else', 'DELETE')
    await screen.findByText('That is not your password.')
    await ask(good, 'DELETE')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Goodbye'))
    expect(erased()).toBe(3)
    await waitFor(() => expect(currentSession().status).toBe('anonymous'))
    expect(screen.getByTestId('address').textContent).toBe('/settings')
  })

  it('lets what was written for others stay, for who takes courses and says so', async () => {
    let told: unknown
    await open(Settings, '/settings', {
      'GET /rest/v1/enrollments': () => ({ body: [{ id: 'e' }] }),
      'POST /functions/v1/delete-account': (body) => {
        told = body
        return { body: { deleted: true } }
      },
    })
    screen.getByText(/your courses, notes and certificates/)
    await userEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
    screen.getByText(/it can no longer be verified/)
    const keeps = { name: 'Keep my reviews, questions, and answers, without my name' }
    await userEvent.click(await screen.findByRole('checkbox', keeps))
    await ask(good, 'DELETE')
    await waitFor(() => expect(told).toEqual({ password: good, keep_posts: true }))
  })
})
