import { authService, refusal, sessionOf } from '@test/auth-service'
import { show } from '@test/show'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { auth, currentSession } from '@/lib/session'
import { SettingsScreen } from './settings-screen'

const session = sessionOf('mara@example.com')
const good = 'correct horse battery'
const standing = 'GET /functions/v1/prove-address'
const proof = 'POST /functions/v1/prove-address'
const service = { 'GET /user': () => ({ body: session.user }), 'POST /logout': () => ({ status: 204 }) }

async function open(answers: Parameters<typeof authService>[0]) {
  const calls = authService({
    ...service,
    'GET /functions/v1/sessions': () => ({ body: { sessions: [] } }),
    'GET /reauthenticate': () => ({}),
    ...answers,
  })
  await (await auth()).setSession(session)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  const added = vi.fn()
  const factors = (_: unknown, first: (then: () => void) => unknown) => (
    <button type="button" onClick={() => void first(added)}>
      Add a second step
    </button>
  )
  show(<SettingsScreen SecondStep={() => null} factors={factors} />, '/settings')
  return { calls, added }
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const dialog = () => screen.findByRole('dialog', { name: 'First, confirm your email' })

afterEach(async () => {
  authService(service)
  await (await auth()).signOut({ scope: 'local' })
  vi.unstubAllGlobals()
})

describe('an address that nobody has proven', () => {
  const unproven = { [standing]: () => ({ body: { proven: false, password: true } }) }

  it('is asked for before a new second step, with the reason, and then it goes on', async () => {
    const { calls, added } = await open({
      ...unproven,
      [proof]: ({ code, password }) =>
        code !== '123456'
          ? refusal(403, 'reauthentication_not_valid', 'That code is wrong or has expired. Check the latest email.')
          : password !== good
            ? refusal(403, 'current_password_invalid', 'That is not your password.')
            : { body: { proven: true, password: true } },
    })
    await press('Add a second step')
    const asked = within(await dialog())
    asked.getByText(/resetting your password removes two-step verification/)
    expect(added).not.toHaveBeenCalled()
    await press('Email me a code')
    const code = await asked.findByLabelText('Code from your email')
    await waitFor(() => expect(document.activeElement).toBe(code))
    await press('Confirm')
    await asked.findByText('Enter the code from the email')
    await userEvent.type(code, '999 999')
    await press('Confirm')
    await asked.findByText('Enter your password')
    const password = asked.getByLabelText('Password')
    await userEvent.type(password, 'something else')
    await press('Confirm')
    await asked.findByText(/That code is wrong or has expired/)
    await userEvent.clear(code)
    await userEvent.type(code, '123 456')
    await press('Confirm')
    await asked.findByText('That is not your password.')
    await waitFor(() => expect(document.activeElement).toBe(password))
    await userEvent.clear(password)
    await userEvent.type(password, good)
    await press('Confirm')
    await screen.findByText('Your email is confirmed')
    await waitFor(() => expect(added).toHaveBeenCalledOnce())
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Confirm my email' })).toBeNull())
    expect(calls.filter(({ name }) => name === 'GET /reauthenticate')).toHaveLength(1)
  })

  it('is confirmed by a code that was sent before the dialog was closed', async () => {
    const words = 'For security purposes, you can only request this after 1 seconds.'
    await open({
      ...unproven,
      'GET /reauthenticate': () => refusal(429, 'over_email_send_rate_limit', words),
    })
    await press('Confirm my email')
    await press('Email me a code')
    const code = await screen.findByLabelText('Code from your email')
    await waitFor(() => expect(document.activeElement).toBe(code))
    expect(screen.getAllByText('We just sent you a code.').length).toBeGreaterThan(0)
    expect(screen.queryByText(words)).toBeNull()
  })

  it('can wait', async () => {
    const { added } = await open(unproven)
    await press('Add a second step')
    await dialog()
    await press('Continue without confirming')
    expect(added).toHaveBeenCalledOnce()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is confirmed by a reset where there is no password', async () => {
    await open({ [standing]: () => ({ body: { proven: false, password: false } }) })
    await screen.findByRole('heading', { name: 'Set a password' })
    await press('Confirm my email')
    const asked = within(await screen.findByRole('dialog', { name: 'Confirm your email' }))
    expect(asked.queryByRole('button', { name: 'Continue without confirming' })).toBeNull()
    asked.getByText(/Choose one with “Forgot password\?”/)
  })
})

describe('an address that is proven', () => {
  it.each([
    ['proven', () => ({ body: { proven: true, password: true } })],
    ['unknown', () => refusal(503, 'UNAVAILABLE', 'Too busy')],
  ])('is not asked for again when it is %s', async (_, answer) => {
    const { added } = await open({ [standing]: answer })
    await press('Add a second step')
    await waitFor(() => expect(added).toHaveBeenCalledOnce())
    expect(screen.queryByRole('button', { name: 'Confirm my email' })).toBeNull()
  })
})
