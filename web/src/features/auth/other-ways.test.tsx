import { authService, sessionOf } from '@test/auth-service'
import { show, signOut } from '@test/show'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { auth } from '@/lib/session'
import { provideSettings, settings } from '@/lib/settings'
import { AuthScreen } from './auth-screen'

const known = settings()

function open(ways: Partial<typeof known>) {
  provideSettings({ ...known, ...ways })
  show(<AuthScreen SecondStep={() => null} />, '/auth')
}

const isAt = (path: string) => waitFor(() => expect(screen.getByTestId('address').textContent).toBe(path))

/** Two presses before the first has shown. */
function pressTwice(name: string) {
  const button = screen.getByRole('button', { name })
  fireEvent.click(button)
  fireEvent.click(button)
}

beforeEach(signOut)

afterEach(async () => {
  authService({ 'POST /logout': () => ({ status: 204 }) })
  await (await auth()).signOut({ scope: 'local' })
  vi.unstubAllGlobals()
  sessionStorage.clear()
  provideSettings(known)
})

/** Comes as a guest of this browser, who may want an account. */
async function asGuest() {
  const session = sessionOf('', 'anonymous')
  authService({ 'GET /user': () => ({ body: { ...session.user, is_anonymous: true } }) })
  await (await auth()).setSession(session)
}

describe('a guest', () => {
  it('is not shown an "or" with nothing below it', async () => {
    await asGuest()
    open({ guests: true })
    await screen.findByRole('button', { name: 'Sign In' })
    expect(screen.queryByText('or')).toBeNull()
  })

  it('hears that the list comes along to an account', async () => {
    await asGuest()
    open({})
    await userEvent.click(await screen.findByRole('button', { name: 'Sign up' }))
    screen.getByText('Your list comes along, and you find it on every device.')
  })
})

describe('two presses are one', () => {
  it('of who comes as a guest', async () => {
    const session = sessionOf('', 'anonymous')
    const guest = { ...session, user: { ...session.user, is_anonymous: true } }
    const calls = authService({ 'POST /signup': () => ({ body: guest }) })
    open({ guests: true })
    pressTwice('Continue as a guest')
    await isAt('/')
    expect(calls.map(({ name }) => name)).toEqual(['POST /signup'])
  })

  it('of who wants a code by email, and of who has it', async () => {
    const calls = authService({
      'POST /otp': () => ({}),
      'POST /verify': () => ({ body: sessionOf('mara@example.com', 'otp') }),
    })
    open({ emailSignIn: true })
    await userEvent.type(screen.getByLabelText('Email'), 'mara@example.com')
    pressTwice('Email me a code')
    await userEvent.type(await screen.findByLabelText('Code from your email'), '123456')
    pressTwice('Sign In')
    await isAt('/')
    expect(calls.map(({ name }) => name)).toEqual(['POST /otp', 'POST /verify'])
    expect(localStorage.getItem('greenroom-awaited'), 'its link is no stranger’s').toMatch(/ mara@example\.com$/)
  })
})
