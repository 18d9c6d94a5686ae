import type { Session } from '@supabase/auth-js'
import { authService, factorOf, refusal, sessionOf } from '@test/auth-service'
import { show } from '@test/show'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { claimsOf, guardsOf, owesSecondStep } from '@/lib/auth-level'
import { auth, currentSession } from '@/lib/session'
import { digitsOf } from './api'
import { SecondStep } from './second-step'

const pixel = factorOf('Pixel', { last_challenged_at: '2026-11-02T00:00:00Z' })
const tablet = factorOf('Tablet', { last_challenged_at: '2026-11-01T00:00:00Z' })
const half = (factors = [pixel]) => sessionOf('mara@example.com', 'password', { factors }) as unknown as Session
const whole = () => sessionOf('mara@example.com', 'password', { aal: 'aal2', factors: [pixel] })

async function open(session: Session, answers: Parameters<typeof authService>[0] = {}) {
  const calls = authService({ 'GET /user': () => ({ body: session.user }), ...answers })
  await (await auth()).setSession(session)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  calls.length = 0
  const passed = vi.fn()
  show(<SecondStep session={session} action="Go on" reason="Because." onPassed={passed} />)
  return { calls, passed }
}

const code = () => screen.getByLabelText<HTMLInputElement>('Code')
const goOn = () => userEvent.click(screen.getByRole('button', { name: 'Go on' }))

afterEach(async () => {
  authService({ 'POST /logout': () => ({ status: 204 }) })
  await (await auth()).signOut({ scope: 'local' })
})

describe('whether a session owes its second step', () => {
  it('does when a factor guards the account and the token is of one step', () => {
    expect(owesSecondStep(half())).toBe(true)
    expect(owesSecondStep(whole() as unknown as Session)).toBe(false)
    expect(owesSecondStep(half([]))).toBe(false)
    expect(owesSecondStep(half([factorOf('Begun', { status: 'unverified' })]))).toBe(false)
    expect(guardsOf(half([pixel, factorOf('Codes', { factor_type: 'recovery_code' })]))).toEqual([pixel])
  })

  it('takes a token that it cannot read for one of one step', () => {
    const odd = { ...half(), access_token: 'odd' } as Session
    expect(claimsOf(odd)).toEqual({})
    expect(owesSecondStep(odd)).toBe(true)
    expect(guardsOf(odd)).toHaveLength(1)
  })
})

describe('the second step', () => {
  it('takes codes as people type and paste them', () => {
    expect(['123 456', '123-456', ' 123456\n'].map(digitsOf)).toEqual(['123456', '123456', '123456'])
  })

  it('wants six digits, and says at the field what is wrong with them', async () => {
    const { calls, passed } = await open(half(), {
      [`POST /factors/${pixel.id}/challenge`]: () => ({ body: { id: 'question', type: 'totp', expires_at: 1 } }),
      [`POST /factors/${pixel.id}/verify`]: (body) =>
        body.code === '123456'
          ? { body: whole() }
          : refusal(422, 'mfa_verification_failed', 'Invalid TOTP code entered'),
    })
    expect(document.activeElement).toBe(code())
    expect(code().inputMode).toBe('numeric')
    expect(code().autocomplete).toBe('one-time-code')
    await userEvent.type(code(), '12345')
    await goOn()
    expect(screen.getByRole('alert').textContent).toBe('Enter the 6-digit code from your app.')
    expect(calls).toEqual([])
    await userEvent.type(code(), '9')
    await goOn()
    await screen.findByText('That code is incorrect. Try the next one your app shows.')
    expect(code().getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(code()))
    await userEvent.clear(code())
    await userEvent.paste('123 456')
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(passed).toHaveBeenCalledOnce())
    const now = currentSession().session
    expect(now && owesSecondStep(now)).toBe(false)
  })

  it('begins with the factor that was asked for last, and offers the others', async () => {
    await open(half([tablet, pixel]))
    screen.getByText('The 6-digit code from “Pixel”. Because.')
    await userEvent.click(screen.getByRole('button', { name: /Tablet/ }))
    screen.getByText('The 6-digit code from “Tablet”. Because.')
    screen.getByRole('button', { name: /Pixel/ })
  })

  it('prefers what works here, and says when a key does not', async () => {
    const key = factorOf('Key', { factor_type: 'webauthn', last_challenged_at: '2026-11-03T00:00:00Z' })
    await open(half([key, tablet]))
    screen.getByText(/from “Tablet”/)
    await userEvent.click(screen.getByRole('button', { name: /^Key/ }))
    expect(screen.getByRole('alert').textContent).toBe('Key can’t be used in this browser.')
  })

  it('asks for a key once, however often it is pressed', async () => {
    vi.stubGlobal('PublicKeyCredential', class {})
    vi.stubGlobal('location', { ...location, origin: 'https://greenroom.test', hostname: 'greenroom.test' })
    onTestFinished(() => void vi.unstubAllGlobals())
    const key = factorOf('Key', { factor_type: 'webauthn' })
    const asking = `POST /factors/${key.id}/challenge`
    const { calls } = await open(half([key]), { [asking]: () => refusal(500, 'unexpected_failure', 'Broken') })
    const button = screen.getByRole('button', { name: 'Go on' })
    act(() => {
      button.click()
      button.click()
    })
    await screen.findByRole('alert')
    expect(calls.filter(({ name }) => name === asking)).toHaveLength(1)
  })

  it('says when there were too many tries, and leaves when the session has ended', async () => {
    let answer = { ...refusal(429, 'over_request_rate_limit', 'Request rate limit reached'), wait: 300 }
    await open(half(), {
      [`POST /factors/${pixel.id}/challenge`]: () => answer,
      'POST /logout': () => ({ status: 204 }),
    })
    await userEvent.type(code(), '123456')
    await goOn()
    await screen.findByText('Too many tries. Try again in 5 minutes.')
    answer = { wait: 0, ...refusal(403, 'session_not_found', 'Session not found') }
    await goOn()
    await screen.findByText('Your session has ended. Please sign in again.')
    await waitFor(() => expect(currentSession().status).toBe('anonymous'))
  })

  it('takes a recovery code as people type it, where there are any', async () => {
    const codes = factorOf('Recovery codes', { factor_type: 'recovery_code' })
    const { calls, passed } = await open(half([pixel, codes]), {
      'POST /factors/recovery-codes/verify': (body) =>
        body.code === 'ABCDEFGH12345678'
          ? { body: whole() }
          : refusal(422, 'mfa_verification_failed', 'Invalid recovery code entered'),
    })
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    const field = screen.getByLabelText<HTMLInputElement>('Recovery code')
    expect(document.activeElement).toBe(field)
    await userEvent.type(field, 'abcd')
    await goOn()
    expect(screen.getByRole('alert').textContent).toContain('16 letters and digits')
    expect(calls).toEqual([])
    await userEvent.clear(field)
    await userEvent.type(field, 'aaaa-aaaa-aaaa-aaaa')
    await goOn()
    await screen.findByText('That code is incorrect, or you have used it before.')
    await userEvent.clear(field)
    await userEvent.type(field, ' ABCD–EFGH 1234-5678')
    await goOn()
    await waitFor(() => expect(passed).toHaveBeenCalledOnce())
    // And back to the app.
    await userEvent.click(screen.getByRole('button', { name: /Pixel/ }))
    expect(code().isConnected).toBe(true)
  })

  it('offers no recovery code to who has none', async () => {
    await open(half())
    expect(screen.queryByRole('button', { name: 'Use a recovery code' })).toBeNull()
  })
})
