import { authService, refusal, sessionOf } from '@test/auth-service'
import { show } from '@test/show'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { rememberWanted, saveDraft } from '@/lib/memory'
import { auth, currentSession } from '@/lib/session'
import { AccountScreen } from './account-screen'
import { SettingsScreen } from './settings-screen'

const session = sessionOf('mara@example.com')
const good = 'correct horse battery'
const roles = 'GET /rest/v1/user_roles'
const service = { 'GET /user': () => ({ body: session.user }), 'POST /logout': () => ({ status: 204 }) }

async function open(screenOf: typeof AccountScreen, path: string, answers: Parameters<typeof authService>[0] = {}) {
  const calls = authService({ ...service, [roles]: () => ({ body: [] }), ...answers })
  await (await auth()).setSession(session)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  calls.length = 0
  const Screen = screenOf
  show(<Screen />, path)
  return calls
}

const isAt = (path: string) => waitFor(() => expect(screen.getByTestId('address').textContent).toBe(path))

afterEach(async () => {
  authService(service)
  await (await auth()).signOut({ scope: 'local' })
  vi.unstubAllGlobals()
})

describe('the account', () => {
  it('shows whose it is', async () => {
    await open(AccountScreen, '/account')
    expect(screen.getByText('mara@example.com')).toBeDefined()
    expect(screen.getByText(session.user.id)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe('/settings')
    expect(screen.queryByText('Admin Account')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Admin Panel' })).toBeNull()
  })

  it('shows an admin the badge and the panel', async () => {
    await open(AccountScreen, '/account', { [roles]: () => ({ body: [{ role: 'admin' }] }) })
    expect(await screen.findByText('Admin Account')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Admin Panel' }).getAttribute('href')).toBe('/admin')
  })

  it.each([204, 401, 403, 404, 500])('logs out and forgets the visit when the server answers %i', async (status) => {
    rememberWanted('/my-list')
    saveDraft('help', { message: 'mara@example.com' })
    await open(AccountScreen, '/account', { 'POST /logout': () => ({ status, body: { message: 'no' } }) })
    await userEvent.click(screen.getByRole('button', { name: 'Log out' }))
    expect(await screen.findByText('Logged out successfully')).toBeDefined()
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
    const calls = await open(SettingsScreen, '/settings')
    await fill('short', 'other')
    expect(await screen.findByText('Passwords do not match')).toBeDefined()
    expect(screen.getByText('Password must be at least 10 characters')).toBeDefined()
    expect(calls).toEqual([])
  })

  it('says that it is done and empties the form', async () => {
    const calls = await open(SettingsScreen, '/settings', { 'PUT /user': () => ({ body: session.user }) })
    await fill(good, good)
    expect(await screen.findByText('Password updated successfully')).toBeDefined()
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe(''))
    expect(calls.map(({ name }) => name)).toEqual(['PUT /user'])
    expect(currentSession().status).toBe('signed-in')
  })

  it('asks for the mailed code only when the server does, and says when it is wrong', async () => {
    const calls = await open(SettingsScreen, '/settings', {
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
    expect(calls.map(({ name }) => name)).toEqual(['PUT /user', 'GET /reauthenticate'])
    const update = () => userEvent.click(screen.getByRole('button', { name: 'Update Password' }))
    await update()
    expect(await screen.findByText('Enter the code from the letter')).toBeDefined()
    await userEvent.type(code, '999999')
    await update()
    expect(await screen.findByText('That code is wrong or too old. Check the newest letter.')).toBeDefined()
    await userEvent.clear(code)
    await userEvent.type(code, ' 123456 ')
    await update()
    expect(await screen.findByText('Password updated successfully')).toBeDefined()
    await waitFor(() => expect(screen.queryByLabelText('Code from your email')).toBeNull())
  })

  it('goes to sign-in when the server has ended the session', async () => {
    await open(SettingsScreen, '/settings', {
      'PUT /user': () => refusal(403, 'session_not_found', 'Session not found'),
    })
    await fill(good, good)
    expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeDefined()
    await isAt('/auth')
  })

  it('leads back to the account', async () => {
    await open(SettingsScreen, '/settings')
    expect(screen.getByRole('link', { name: 'Back to account' }).getAttribute('href')).toBe('/account')
  })
})
