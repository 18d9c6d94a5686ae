import { authService, factorOf, refusal, sessionOf } from '@test/auth-service'
import { show, signOut } from '@test/show'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { noteArrivalError } from '@/lib/arrival'
import { auth, currentSession, provideSession } from '@/lib/session'
import { ResetPasswordScreen } from './reset-password-screen'

const refusedText = 'Invalid or expired reset link. Please request a new one.'
const good = 'correct horse battery'
const service = { 'POST /logout': () => ({ status: 204 }) }

const fresh = () => screen.getByLabelText<HTMLInputElement>('New password')
const confirm = () => screen.getByLabelText<HTMLInputElement>('Confirm password')
const isAt = (path: string) => waitFor(() => expect(screen.getByTestId('address').textContent).toBe(path))

/** Opens the page with a session that was opened by a method of the service's list. */
async function open(method: string, answers: Parameters<typeof authService>[0] = {}, more = {}) {
  const session = sessionOf('mara@example.com', method, more)
  const calls = authService({ 'GET /user': () => ({ body: session.user }), ...service, ...answers })
  await (await auth()).setSession(session)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  calls.length = 0
  show(<ResetPasswordScreen SecondStep={() => <p>second step</p>} />, '/auth/reset-password')
  return calls
}

afterEach(async () => {
  authService(service)
  await (await auth()).signOut({ scope: 'local' })
  vi.unstubAllGlobals()
})

describe('without a session that a link opened', () => {
  it('turns a stranger away', async () => {
    signOut()
    show(<ResetPasswordScreen SecondStep={() => <p>second step</p>} />, '/auth/reset-password')
    await screen.findByText(refusedText)
    await isAt('/auth')
  })

  it('turns away who signed in with a password', async () => {
    await open('password')
    await screen.findByText(refusedText)
    await isAt('/auth')
  })

  it("says the server's reason when the link was refused, whoever is signed in", async () => {
    noteArrivalError('Email link is invalid or has expired')
    await open('otp')
    await screen.findByText(refusedText)
    screen.getByText('Email link is invalid or has expired')
  })

  it('waits while it is not known', () => {
    provideSession({ status: 'loading', session: null })
    show(<ResetPasswordScreen SecondStep={() => <p>second step</p>} />, '/auth/reset-password')
    screen.getByText('Checking your link…')
    expect(screen.getByTestId('address').textContent).toBe('/auth/reset-password')
  })
})

describe('with it', () => {
  it('looks at the fields on every change and on leaving them', async () => {
    await open('otp')
    screen.getByText('Password must be at least 10 characters long')
    await userEvent.type(fresh(), 'short')
    await screen.findByText('Password must be at least 10 characters')
    await userEvent.type(fresh(), ' but growing')
    await waitFor(() => expect(screen.queryByText('Password must be at least 10 characters')).toBeNull())
    expect(screen.queryByText('Passwords do not match'), 'not before it was touched').toBeNull()
    await userEvent.click(confirm())
    await userEvent.tab()
    await screen.findByText('Passwords do not match')
    await userEvent.type(confirm(), 'short but growing')
    await waitFor(() => expect(screen.queryByText('Passwords do not match')).toBeNull())
    await userEvent.type(fresh(), '!')
    await screen.findByText('Passwords do not match')
  })

  it('sets the password, ends the session and returns to sign-in', async () => {
    const calls = await open('recovery', {
      'PUT /user': () => ({ body: sessionOf('mara@example.com').user }),
    })
    await userEvent.type(fresh(), good)
    await userEvent.type(confirm(), good)
    await userEvent.click(screen.getByRole('button', { name: 'Update Password' }))
    await screen.findByText('Password updated successfully! You can now sign in.')
    await isAt('/auth')
    expect(currentSession().status).toBe('anonymous')
    expect(screen.queryByText(refusedText)).toBeNull()
    expect(calls.map(({ name }) => name)).toEqual(['PUT /user', 'POST /logout'])
    expect(calls[0]?.body).toMatchObject({ password: good })
  })

  it('says at the field what the server has against the password', async () => {
    const message = 'New password should be different from the old password.'
    await open('otp', { 'PUT /user': () => refusal(422, 'same_password', message) })
    await userEvent.type(fresh(), good)
    await userEvent.type(confirm(), good)
    await userEvent.click(screen.getByRole('button', { name: 'Update Password' }))
    expect((await screen.findByRole('alert')).textContent).toBe(message)
    expect(screen.getByTestId('address').textContent).toBe('/auth/reset-password')
  })

  it("says 'Failed to reset password' for every other failure", async () => {
    await open('otp', { 'PUT /user': () => refusal(429, 'over_request_rate_limit', 'Request rate limit reached') })
    await userEvent.type(fresh(), good)
    await userEvent.type(confirm(), good)
    await userEvent.click(screen.getByRole('button', { name: 'Update Password' }))
    await screen.findByText('Failed to reset password')
  })

  it('says that the link is no good when its session has ended meanwhile', async () => {
    await open('otp', { 'PUT /user': () => refusal(403, 'session_not_found', 'Session not found') })
    await userEvent.type(fresh(), good)
    await userEvent.type(confirm(), good)
    await userEvent.click(screen.getByRole('button', { name: 'Update Password' }))
    await screen.findByText(refusedText)
    await isAt('/auth')
  })

  it('asks for the second step of who has one', async () => {
    await open('otp', {}, { factors: [factorOf('Pixel')] })
    await screen.findByText('second step')
    expect(screen.queryByLabelText('New password')).toBeNull()
    await act(async () => void (await (await auth()).setSession(sessionOf('mara@example.com', 'otp', { aal: 'aal2' }))))
    await screen.findByLabelText('New password')
  })

  it('tells password managers whose password it is', async () => {
    await open('otp')
    const username = fresh().form?.elements.namedItem('username') as HTMLInputElement
    expect(username.value).toBe('mara@example.com')
    expect(username.autocomplete).toBe('username')
    expect(fresh().autocomplete).toBe('new-password')
  })
})
