import type { Session } from '@supabase/auth-js'
import { authService, factorOf, refusal, sessionOf } from '@test/auth-service'
import { show } from '@test/show'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { auth, currentSession } from '@/lib/session'
import { freeName } from './name-form'
import { FactorSection } from './section'

const pixel = { ...factorOf('Pixel'), created_at: '2026-11-03T12:00:00Z' }
const begun = { id: 'b0000000-0000-4000-8000-000000000000', friendly_name: 'Blue key' }
const service = { 'POST /logout': () => ({ status: 204 }) }

async function open(factors: object[], answers: Parameters<typeof authService>[0] = {}) {
  const session = sessionOf('mara@example.com', 'password', { aal: 'aal2' })
  const user = { ...session.user, factors }
  const calls = authService({ 'GET /user': () => ({ body: user }), ...service, ...answers })
  await (await auth()).setSession(session)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  calls.length = 0
  show(<FactorSection session={session as unknown as Session} />, '/settings')
  return calls
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

afterEach(async () => {
  authService(service)
  await (await auth()).signOut({ scope: 'local' })
})

describe('the second steps in the settings', () => {
  it('are listed by name and date, without those that were only begun', async () => {
    await open([pixel, factorOf('Begun', { status: 'unverified' })])
    await screen.findByText('Authenticator app, added November 3, 2026')
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
  })

  const on = '2026-11-04T12:00:00Z'
  const codes = { ...factorOf('Recovery codes', { factor_type: 'recovery_code' }), created_at: on }
  const tablet = { ...factorOf('Tablet'), created_at: on }
  it.each([
    ['the only one', [pixel], 'Pixel', 'it’s the only method you have.'],
    [
      'the last beside recovery codes',
      [pixel, codes],
      'Pixel',
      'two-step verification, and your recovery codes stop working.',
    ],
    ['one of two', [pixel, tablet, codes], 'Pixel', 'Your other methods still work.'],
  ])('say what goes with %s', async (_, factors, name, said) => {
    await open(factors)
    await press(`Remove ${name}`)
    expect(screen.getByRole('alertdialog').textContent).toContain(said)
  })

  it('say when they could not be loaded', async () => {
    const { user } = sessionOf('mara@example.com')
    const answers = [{ body: user }, refusal(503, 'overloaded', 'Too busy')]
    await open([], {
      // The first is the session's own.
      'GET /user': () => answers.shift() ?? { body: user },
    })
    await screen.findByText('Two-step verification could not be loaded')
    await press('Try again')
    await screen.findByText(/Two-step verification is off/)
  })

  it('suggest a name that is free, and say when a chosen one is not', async () => {
    expect(freeName('App', ['App', 'App 2'])).toBe('App 3')
    await open([{ ...pixel, friendly_name: 'Authenticator app' }], {
      'POST /factors': () => refusal(422, 'mfa_factor_name_conflict', 'A factor with the friendly name exists'),
    })
    await press('Add an authenticator app')
    const name = screen.getByLabelText<HTMLInputElement>('Name')
    expect(name.value).toBe('Authenticator app 2')
    await press('Continue')
    await screen.findByText('You already use this name. Choose another one.')
    expect(name.getAttribute('aria-invalid')).toBe('true')
  })

  it('ask who signed in long ago for the password, and go on', async () => {
    let shown = false
    const calls = await open([], {
      'POST /factors': () =>
        shown
          ? { body: { ...begun, type: 'totp', totp: { qr_code: '<svg/>', secret: 'ABCDEFGH', uri: 'otpauth://x' } } }
          : refusal(400, 'reauthentication_needed', 'Please confirm that it is you'),
      'PUT /user': ({ current_password }) => {
        shown = current_password === 'the right one'
        return shown ? { body: {} } : refusal(400, 'current_password_invalid', 'Current password is not correct')
      },
    })
    await press('Add an authenticator app')
    await press('Continue')
    await screen.findByText(/been a while since you signed in/)
    await press('Continue')
    await screen.findByText('Enter your password')
    await userEvent.type(screen.getByLabelText('Password'), 'not the right one{Enter}')
    await screen.findByText('That is not your password.')
    await userEvent.clear(screen.getByLabelText('Password'))
    await userEvent.type(screen.getByLabelText('Password'), 'the right one{Enter}')
    await screen.findByText('Scan this with your app, then enter the code it shows.')
    expect(calls.filter(({ name }) => name === 'POST /factors')).toHaveLength(2)
  })

  it('take a mailed code instead of the password', async () => {
    let shown = false
    await open([], {
      'POST /factors': () =>
        shown
          ? { body: { ...begun, type: 'totp', totp: { qr_code: '<svg/>', secret: 'ABCDEFGH', uri: 'otpauth://x' } } }
          : refusal(400, 'reauthentication_needed', 'Please confirm that it is you'),
      'GET /reauthenticate': () => ({ body: {} }),
      'PUT /user': ({ nonce }) => {
        shown = nonce === '123456'
        return shown ? { body: {} } : refusal(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
      },
    })
    await press('Add an authenticator app')
    await press('Continue')
    await press('Email me a code instead')
    await screen.findByText('We sent a 6-digit code to mara@example.com.')
    const field = screen.getByLabelText('Code from your email')
    await userEvent.type(field, '000000{Enter}')
    await screen.findByText(/That code is wrong or has expired/)
    await userEvent.clear(field)
    await userEvent.type(field, '123 456{Enter}')
    await screen.findByText('Scan this with your app, then enter the code it shows.')
  })

  it('ask before one is removed long after signing in, and remove it then', async () => {
    let shown = false
    const session = sessionOf('mara@example.com', 'password', { aal: 'aal2' })
    const calls = await open([pixel], {
      [`DELETE /factors/${pixel.id}`]: () =>
        shown ? { body: { id: pixel.id } } : refusal(400, 'reauthentication_needed', 'Please confirm that it is you'),
      'PUT /user': ({ current_password }) => {
        shown = current_password === 'the right one'
        return shown ? { body: {} } : refusal(400, 'current_password_invalid', 'Current password is not correct')
      },
      'POST /token?grant_type=refresh_token': () => ({ body: session }),
    })
    await press('Remove Pixel')
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
    expect(screen.queryByText('Failed to remove the verification method')).toBeNull()
    await userEvent.type(dialog.getByLabelText('Password'), 'the right one{Enter}')
    await screen.findByText('Verification method removed')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(calls.filter(({ name }) => name.startsWith('DELETE'))).toHaveLength(2)
  })

  it('ask before a second one is added long after signing in', async () => {
    let shown = false
    await open([pixel], {
      'POST /factors': () =>
        shown
          ? { body: { ...begun, type: 'totp', totp: { qr_code: '<svg/>', secret: 'ABCDEFGH', uri: 'otpauth://x' } } }
          : refusal(400, 'reauthentication_needed', 'Please confirm that it is you'),
      'PUT /user': () => {
        shown = true
        return { body: {} }
      },
    })
    await press('Add an authenticator app')
    await press('Continue')
    await userEvent.type(await screen.findByLabelText('Password'), 'the right one{Enter}')
    await screen.findByText('Scan this with your app, then enter the code it shows.')
  })
})

describe('recovery codes', () => {
  const codes = factorOf('Recovery codes', { factor_type: 'recovery_code' })
  const made = { body: { codes: ['aaaabbbbccccdddd'] } }

  it.each([
    ['the first', [pixel], 'Get recovery codes', 'POST /factors/recovery-codes'],
    ['new ones', [pixel, codes], 'Make new codes', 'POST /factors/recovery-codes/regenerate'],
  ])('are made once by two presses: %s', async (_, factors, name, request) => {
    const calls = await open(factors, {
      'GET /factors/recovery-codes': () => ({ body: { remaining: 10 } }),
      [request]: () => made,
    })
    await screen.findByRole('button', { name })
    if (factors.includes(codes)) await press(name)
    const dialog = screen.queryByRole('alertdialog')
    const button = within(dialog ?? document.body).getByRole('button', { name })
    fireEvent.click(button)
    fireEvent.click(button)
    await screen.findByRole('button', { name: 'I saved them' })
    expect(calls.filter(({ name }) => name === request)).toHaveLength(1)
  })

  it('stay on the screen until their owner says that they are saved', async () => {
    await open([pixel], { 'POST /factors/recovery-codes': () => made })
    await press('Get recovery codes')
    const list = await screen.findByRole('list', { name: 'Recovery codes' })
    expect(list.textContent).toBe('aaaa-bbbb-cccc-dddd')
    await userEvent.keyboard('{Escape}')
    await screen.findByText(/^You won’t see these codes again\. Save them first/)
    expect(list.isConnected).toBe(true)
    await press('I saved them')
    await waitFor(() => expect(list.isConnected).toBe(false))
  })

  it('are removed once the owner has shown that it is them, with what they did for the session', async () => {
    let isSure = false
    const calls = await open([pixel, codes], {
      'GET /factors/recovery-codes': () => ({ body: { remaining: 10 } }),
      'DELETE /factors/recovery-codes': () =>
        isSure ? { body: {} } : refusal(400, 'reauthentication_needed', 'Please confirm that it is you'),
      'PUT /user': () => {
        isSure = true
        return { body: {} }
      },
      'POST /token?grant_type=refresh_token': () => ({ body: sessionOf('mara@example.com') }),
    })
    await press('Remove recovery codes')
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await userEvent.type(await screen.findByLabelText('Password'), 'the right one{Enter}')
    await screen.findByText('Recovery codes removed')
    const after = calls.slice(calls.findLastIndex(({ name }) => name === 'DELETE /factors/recovery-codes'))
    expect(after.map(({ name }) => name)).toContain('POST /token?grant_type=refresh_token')
  })
})

describe('a security key', () => {
  it('that does not answer leaves nothing behind', async () => {
    vi.stubGlobal('PublicKeyCredential', class {})
    vi.stubGlobal('location', { ...location, origin: 'https://greenroom.test', hostname: 'greenroom.test' })
    const create = vi.fn().mockRejectedValue(new DOMException('The operation was not allowed', 'NotAllowedError'))
    vi.stubGlobal('navigator', Object.create(navigator, { credentials: { value: { create } } }))
    const bytes = 'AAAA'
    const calls = await open([], {
      'POST /factors': () => ({ body: { ...begun, type: 'webauthn' } }),
      [`POST /factors/${begun.id}/challenge`]: () => ({
        body: {
          id: 'question',
          type: 'webauthn',
          webauthn: {
            type: 'create',
            credential_options: {
              publicKey: {
                challenge: bytes,
                rp: {},
                user: { id: bytes, name: 'm', displayName: 'm' },
                pubKeyCredParams: [],
              },
            },
          },
        },
      }),
      [`DELETE /factors/${begun.id}`]: () => ({ body: { id: begun.id } }),
    })
    await press('Add a security key')
    const dialog = screen.getByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Continue' }))
    await screen.findByText('Your key didn’t respond. Please try again.')
    expect(create).toHaveBeenCalledOnce()
    expect(calls.at(-1)?.name).toBe(`DELETE /factors/${begun.id}`)
  })
})
