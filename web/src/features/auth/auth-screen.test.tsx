import { authService, factorOf, refusal, sessionOf } from '@test/auth-service'
import { show, signOut } from '@test/show'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { noteArrivalError } from '@/lib/arrival'
import { noteLinked, rememberTrip, takeTrip } from '@/lib/auth-linked'
import { readPress, rememberWanted } from '@/lib/memory'
import { auth, currentSession } from '@/lib/session'
import { provideSettings, settings } from '@/lib/settings'
import { AuthScreen } from './auth-screen'

const timing = { button: 'wait Timing', words: 'join the waitlist for Timing' }
const good = 'correct horse battery'

const open = () =>
  show(<AuthScreen SecondStep={({ session }) => <p>second step of {session.user.email}</p>} />, '/auth')
const isAt = (path: string) => waitFor(() => expect(screen.getByTestId('address').textContent).toBe(path))
const email = () => screen.getByLabelText<HTMLInputElement>('Email')
const password = () => screen.getByLabelText<HTMLInputElement>('Password')
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const follow = (name: string) => userEvent.click(screen.getByRole('link', { name }))

async function enter(address: string, secret?: string) {
  await userEvent.clear(email())
  await userEvent.type(email(), address)
  if (secret === undefined) return
  await userEvent.clear(password())
  await userEvent.type(password(), secret)
}

beforeEach(signOut)

afterEach(async () => {
  vi.useRealTimers()
  authService({ 'POST /logout': () => ({ status: 204 }) })
  await (await auth()).signOut({ scope: 'local' })
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

describe('signing in', () => {
  it('says at the field what is wrong, and asks the server nothing', async () => {
    const calls = authService({})
    open()
    await enter('nobody', 'short')
    await press('Sign In')
    await screen.findByText('Invalid email address')
    screen.getByText('Password must be at least 10 characters')
    expect(email().getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(email())
    expect(password().minLength).toBe(6)
    expect(calls).toEqual([])
  })

  it('trims the address, welcomes and goes home', async () => {
    const calls = authService({ 'POST /token?grant_type=password': () => ({ body: sessionOf('mara@example.com') }) })
    open()
    await enter('  mara@example.com ', good)
    await press('Sign In')
    await isAt('/')
    await screen.findByText('Welcome back!')
    expect(calls[0]?.body).toMatchObject({ email: 'mara@example.com', password: good })
  })

  it('goes to the page that was wanted', async () => {
    authService({ 'POST /token?grant_type=password': () => ({ body: sessionOf('mara@example.com') }) })
    rememberWanted('/my-list')
    open()
    await enter('mara@example.com', good)
    await press('Sign In')
    await isAt('/my-list')
  })

  it('says what it is for where something was pressed, and hands that on', async () => {
    authService({ 'POST /token?grant_type=password': () => ({ body: sessionOf('mara@example.com') }) })
    rememberWanted('/trending', timing)
    open()
    expect(screen.getByText('Sign in to join the waitlist for Timing.').isConnected).toBe(true)
    await press('Sign up')
    screen.getByText('Create an account to join the waitlist for Timing.')
    await press('Sign in')
    await enter('mara@example.com', good)
    await press('Sign In')
    await isAt('/trending')
    expect(readPress().button).toBe('')
  })

  it('does what was pressed for nobody whom a link has signed in, unless this tab went to a provider', async () => {
    authService({ 'GET /user': () => ({ body: sessionOf('mara@example.com').user }) })
    rememberWanted('/', timing)
    await (await auth()).setSession(sessionOf('mara@example.com'))
    const { unmount } = open()
    await isAt('/')
    expect(readPress().button).toBe('wait Timing')
    unmount()
    rememberTrip()
    open()
    await isAt('/')
    expect(readPress().button).toBe('')
  })

  it('counts nobody as signed in here whom a link has signed in to another tab', async () => {
    authService({ 'GET /user': () => ({ body: sessionOf('mallory@example.com').user }) })
    rememberWanted('/trending', timing)
    const entered = vi.fn()
    show(<AuthScreen SecondStep={() => null} onEntered={entered} />, '/auth')
    await waitFor(() => expect(email().disabled).toBe(false))
    const brought = sessionOf('mallory@example.com')
    noteLinked(brought.access_token)
    new BroadcastChannel('sb-greenroom-auth-token').postMessage({ event: 'SIGNED_IN', session: brought })
    await isAt('/')
    expect(readPress().button).toBe('wait Timing')
    expect(entered).not.toHaveBeenCalled()
    localStorage.clear()
  })

  it('forgets what was pressed long ago', () => {
    vi.useFakeTimers({ now: 0 })
    rememberWanted('/', timing)
    vi.setSystemTime(15 * 60_000)
    expect(readPress().button).toBe('')
  })

  it('sends who is signed in already home, whatever was wanted before', async () => {
    authService({ 'GET /user': () => ({ body: sessionOf('mara@example.com').user }) })
    rememberWanted('/my-list')
    await (await auth()).setSession(sessionOf('mara@example.com'))
    open()
    await isAt('/')
  })

  it('keeps who has a second step here until it is passed, and leads back when they sign out', async () => {
    const halfWay = sessionOf('mara@example.com', 'password', { factors: [factorOf('Pixel')] })
    const passed = sessionOf('mara@example.com', 'password', { aal: 'aal2', factors: [factorOf('Pixel')] })
    authService({
      'POST /token?grant_type=password': () => ({ body: halfWay }),
      'POST /logout': () => ({ status: 204 }),
      'GET /user': () => ({ body: passed.user }),
    })
    rememberWanted('/my-list')
    open()
    await enter('mara@example.com', good)
    await press('Sign In')
    await screen.findByText('second step of mara@example.com')
    expect(screen.getByTestId('address').textContent).toBe('/auth')
    expect(screen.queryByText('Welcome back!')).toBeNull()
    await press('Sign out')
    await screen.findByRole('button', { name: 'Sign In' })
    await enter('mara@example.com', good)
    await press('Sign In')
    await screen.findByText('second step of mara@example.com')
    await (await auth()).setSession(passed)
    await isAt('/')
  })

  it('does not say which of the two was wrong', async () => {
    authService({
      'POST /token?grant_type=password': () => refusal(400, 'invalid_credentials', 'Invalid login credentials'),
    })
    open()
    await enter('mara@example.com', good)
    await press('Sign In')
    await screen.findByText('Invalid email or password. Please try again.')
    await waitFor(() => expect(document.activeElement).toBe(password()))
  })

  it("shows the server's own words, and what to do about a limit", async () => {
    authService({
      'POST /token?grant_type=password': () => ({
        ...refusal(429, 'over_request_rate_limit', 'Request rate limit reached'),
        wait: 2880,
      }),
    })
    open()
    await enter('mara@example.com', good)
    await press('Sign In')
    await screen.findByText('Request rate limit reached')
    screen.getByText('Too many tries. Try again in 48 minutes, or use “Forgot password?”')
  })

  it("says 'An error occurred' when the server cannot be reached", async () => {
    authService({})
    open()
    await enter('mara@example.com', good)
    await press('Sign In')
    await screen.findByText('An error occurred')
  })

  it('offers the letter again to who has not confirmed the address', async () => {
    const calls = authService({
      'POST /token?grant_type=password': () => refusal(400, 'email_not_confirmed', 'Email not confirmed'),
      'POST /resend': () => ({}),
    })
    open()
    await enter('mara@example.com', good)
    await press('Sign In')
    await press(await screen.findByRole('button', { name: 'Send it again' }).then(() => 'Send it again'))
    await waitFor(() =>
      expect(calls.at(-1)).toMatchObject({ name: 'POST /resend', body: { type: 'signup', email: 'mara@example.com' } }),
    )
  })
})

describe('a mailed code', () => {
  const openWith = (more: Partial<ReturnType<typeof settings>>) => {
    const known = settings()
    provideSettings({ ...known, ...more })
    onTestFinished(() => provideSettings(known))
    return open()
  }

  it('is not offered where the operator does not', () => {
    open()
    expect(screen.queryByRole('button', { name: 'Email me a code' })).toBeNull()
  })

  it('signs in, makes no account, and says when it is wrong', async () => {
    const calls = authService({
      'POST /otp': () => ({}),
      'POST /verify': ({ token }) =>
        token === '123456'
          ? { body: sessionOf('mara@example.com', 'otp') }
          : refusal(403, 'otp_expired', 'Token has expired or is invalid'),
    })
    rememberWanted('/my-list')
    openWith({ emailSignIn: true })
    await enter('nobody')
    await press('Email me a code')
    await screen.findByText('Invalid email address')
    expect(calls).toEqual([])
    await enter('mara@example.com')
    await press('Email me a code')
    const field = await screen.findByLabelText('Code from your email')
    expect(calls[0]?.body).toMatchObject({ email: 'mara@example.com', create_user: false })
    screen.getByRole('button', { name: /^Send a new code in \d+ seconds$/ })
    await userEvent.type(field, '999999{Enter}')
    await screen.findByText('That code is wrong or has expired. Check the latest email.')
    await userEvent.clear(field)
    await userEvent.type(field, '123 456{Enter}')
    await isAt('/my-list')
    await screen.findByText('Welcome back!')
    expect(calls.at(-1)?.body).toMatchObject({ email: 'mara@example.com', type: 'email' })
  })

  it('leads back to the form as it was', async () => {
    authService({ 'POST /otp': () => ({}) })
    openWith({ emailSignIn: true })
    await enter('mara@example.com')
    await press('Email me a code')
    await screen.findByLabelText('Code from your email')
    await follow('Back to sign in')
    expect(email().value).toBe('mara@example.com')
  })
})

describe('a guest', () => {
  it('may come to this screen, for an account', async () => {
    const session = sessionOf('', 'anonymous')
    authService({ 'GET /user': () => ({ body: { ...session.user, is_anonymous: true } }) })
    await (await auth()).setSession(session)
    open()
    await screen.findByRole('button', { name: 'Sign In' })
    expect(screen.getByTestId('address').textContent).toBe('/auth')
  })
})

describe('signing up', () => {
  it('makes an account, signs nobody in, and returns to sign-in without the password', async () => {
    const session = sessionOf('new@example.com')
    const calls = authService({ 'POST /signup': () => ({ body: session }), 'POST /logout': () => ({ status: 204 }) })
    open()
    await press('Sign up')
    await enter('new@example.com', good)
    await press('Sign Up')
    await screen.findByText('Account created! You can now sign in.')
    await screen.findByRole('button', { name: 'Sign In' })
    expect(email().value).toBe('new@example.com')
    expect(password().value).toBe('')
    expect(currentSession().status).toBe('anonymous')
    expect(JSON.stringify(localStorage)).not.toContain('access_token')
    expect(calls.map(({ name }) => name)).toEqual(['POST /signup', 'POST /logout'])
    expect(calls[1]?.authorization).toBe(`Bearer ${session.access_token}`)
  })

  it('asks to confirm by mail where the server opened no session', async () => {
    authService({ 'POST /signup': () => ({ body: sessionOf('new@example.com').user }) })
    open()
    await press('Sign up')
    await enter('new@example.com', good)
    await press('Sign Up')
    await screen.findByText('Account created! Please check your inbox to confirm your email.')
    expect(localStorage.getItem('greenroom-awaited'), 'its link is no stranger’s').toMatch(/ new@example\.com$/)
  })

  it('sends who is registered to sign-in', async () => {
    authService({ 'POST /signup': () => refusal(422, 'user_already_exists', 'User already registered') })
    open()
    await press('Sign up')
    await enter('mara@example.com', good)
    await press('Sign Up')
    await screen.findByText('This email is already registered. Please sign in instead.')
    await screen.findByRole('button', { name: 'Sign In' })
  })

  it('says at the field why a password is refused', async () => {
    const message = 'Password is known to be weak and easy to guess, please choose a different one.'
    authService({
      'POST /signup': () => refusal(422, 'weak_password', message, { weak_password: { reasons: ['pwned'] } }),
    })
    open()
    await press('Sign up')
    await enter('mara@example.com', 'password123')
    await press('Sign Up')
    expect((await screen.findByRole('alert')).textContent).toBe(message)
    expect(document.activeElement).toBe(password())
  })
})

describe('a forgotten password', () => {
  it('asks for the email alone and sends the link', async () => {
    const calls = authService({ 'POST /recover': () => ({}) })
    open()
    await enter('mara@example.com', 'short')
    await follow('Forgot password?')
    expect(screen.queryByLabelText('Password')).toBeNull()
    await press('Send Reset Link')
    await screen.findByText('Password reset email sent! Please check your inbox.')
    expect(calls[0]?.body).toMatchObject({ email: 'mara@example.com' })
  })

  it("shows the server's words, or that the letter failed", async () => {
    const words = 'For security purposes, you can only request this after 42 seconds.'
    authService({ 'POST /recover': () => refusal(429, 'over_email_send_rate_limit', words) })
    open()
    await follow('Forgot password?')
    await enter('mara@example.com')
    await press('Send Reset Link')
    await screen.findByText(words)
    authService({})
    await press('Send Reset Link')
    await screen.findByText('Failed to send password reset email')
  })
})

describe('the screen', () => {
  it('clears errors when the mode changes', async () => {
    open()
    await press('Sign In')
    expect(await screen.findAllByRole('alert')).toHaveLength(2)
    await press('Sign up')
    expect(screen.queryAllByRole('alert')).toEqual([])
    await press('Sign in')
    await follow('Forgot password?')
    await press('Send Reset Link')
    await screen.findByText('Invalid email address')
    await follow('Back to sign in')
    expect(screen.queryAllByRole('alert')).toEqual([])
  })

  it('takes back what it said of the mode that is left', async () => {
    authService({
      'POST /token?grant_type=password': () => refusal(400, 'invalid_credentials', 'Invalid login credentials'),
    })
    open()
    const text = 'Invalid email or password. Please try again.'
    for (const [role, name] of [
      ['button', 'Sign up'],
      ['link', 'Forgot password?'],
    ] as const) {
      await enter('mara@example.com', good)
      await press('Sign In')
      // A toast that is pointed at does not go by itself.
      await userEvent.hover(await screen.findByText(text))
      fireEvent.click(screen.getByRole(role, { name }))
      await waitFor(() => expect(screen.queryByText(text)).toBeNull())
      if (role === 'button') await press('Sign in')
    }
  })

  it('offers the support address in every mode', async () => {
    open()
    const support = () => screen.getByRole('link', { name: 'Contact support' }).getAttribute('href')
    expect(support()).toBe('mailto:support@greenroom.test')
    await press('Sign up')
    expect(support()).toBe('mailto:support@greenroom.test')
    await press('Sign in')
    await follow('Forgot password?')
    expect(support()).toBe('mailto:support@greenroom.test')
  })

  it('offers the providers of this installation, and none where a password is forgotten', async () => {
    const known = settings()
    provideSettings({ ...known, providers: ['github', 'acme'] })
    try {
      open()
      const links = () => screen.queryAllByRole('link', { name: /^Continue with/ })
      expect(links().map(({ textContent }) => textContent)).toEqual(['Continue with GitHub', 'aContinue with Acme'])
      expect(links()[1]?.getAttribute('href')).toBe(
        `/auth/v1/authorize?provider=acme&redirect_to=${encodeURIComponent('https://greenroom.test/auth')}`,
      )
      links()[1]?.addEventListener('click', (event) => event.preventDefault())
      await userEvent.click(links()[1] as HTMLElement)
      expect(takeTrip(), 'who comes back from there comes by themselves').toBe(true)
      await follow('Forgot password?')
      expect(links()).toEqual([])
    } finally {
      provideSettings(known)
    }
  })

  it('tells password managers what its fields are', async () => {
    open()
    expect(email().autocomplete).toBe('username webauthn')
    expect(password().autocomplete).toBe('current-password')
    await press('Sign up')
    expect(email().autocomplete).toBe('username')
    expect(password().autocomplete).toBe('new-password')
    expect(password().form).toBe(email().form)
    expect(email().form?.noValidate).toBe(true)
  })

  it('shows what an address says went wrong, until the visitor goes on', async () => {
    noteArrivalError('Email link is invalid or has expired')
    open()
    expect(screen.getByRole('alert').textContent).toBe('Email link is invalid or has expired')
    await press('Sign up')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows what is typed on request', async () => {
    open()
    expect(password().type).toBe('password')
    await press('Show characters')
    expect(password().type).toBe('text')
    await press('Hide characters')
    expect(password().type).toBe('password')
  })
})
