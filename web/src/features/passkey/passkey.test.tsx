import type { Session } from '@supabase/auth-js'
import { authService, refusal, sessionOf } from '@test/auth-service'
import { show, signOut } from '@test/show'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { auth, currentSession, provideSession } from '@/lib/session'
import { provideSettings, settings } from '@/lib/settings'
import { Aside, showAside } from '@/ui/aside'
import { offerPasskey } from './offer'
import { PasskeySection } from './section'
import { PasskeySignIn } from './sign-in'

const known = settings()
const question = { challenge_id: 'q', options: { challenge: 'AAAA', rpId: 'greenroom.test' }, expires_at: 1 }
const asking = 'POST /passkeys/authentication/options'
const service = { 'POST /logout': () => ({ status: 204 }) }
const laptop = {
  id: 'a',
  friendly_name: 'iCloud Keychain',
  device: 'Safari on macOS',
  synced: true,
  created_at: '2026-11-03T12:00:00Z',
}

let conditional = false
// As a browser's, whose kind of exception is an error.
const cancelled = Object.assign(new Error('no'), { name: 'NotAllowedError' })
const get = vi.fn()
const create = vi.fn()

class Key {
  static isConditionalMediationAvailable = async () => conditional
  static isUserVerifyingPlatformAuthenticatorAvailable = async () => true
  toJSON = () => ({ id: 'made' })
}

beforeEach(() => {
  conditional = false
  provideSettings({ ...known, passkeys: true })
  vi.stubGlobal('PublicKeyCredential', Key)
  vi.stubGlobal('location', { ...location, origin: 'https://greenroom.test', hostname: 'greenroom.test' })
  vi.stubGlobal('navigator', Object.create(navigator, { credentials: { value: { get, create } } }))
})

afterEach(async () => {
  act(() => showAside(null))
  authService(service)
  await (await auth()).signOut({ scope: 'local' })
  vi.useRealTimers()
  get.mockReset()
  create.mockReset()
  provideSettings(known)
})

async function signedIn(method = 'password', answers: Parameters<typeof authService>[0] = {}) {
  const session = sessionOf('mara@example.com', method)
  const calls = authService({ 'GET /user': () => ({ body: session.user }), ...service, ...answers })
  await (await auth()).setSession(session)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  calls.length = 0
  return { session: session as unknown as Session, calls }
}

describe('signing in with a passkey', () => {
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))

  it('is not there where browsers have none for this site', () => {
    provideSettings(known)
    signOut()
    show(<PasskeySignIn onSignedIn={() => undefined} />)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('says nothing to who closes the question, and why where the service could not be asked', async () => {
    signOut()
    let answer = { body: question } as ReturnType<typeof refusal>
    authService({ [asking]: () => answer })
    get.mockRejectedValue(cancelled)
    show(<PasskeySignIn onSignedIn={() => undefined} />)
    await press()
    await waitFor(() => expect(get).toHaveBeenCalledOnce())
    await screen.findByRole('button', { name: 'Sign in with a passkey' })
    expect(screen.queryByRole('alert')).toBeNull()
    answer = refusal(429, 'over_request_rate_limit', 'Request rate limit reached')
    await press()
    await screen.findByText(/^Too many tries/)
  })

  it('is offered in the email field, called off by a press and on leaving', async () => {
    signOut()
    conditional = true
    authService({ [asking]: () => ({ body: question }) })
    const signals: AbortSignal[] = []
    get.mockImplementation(({ signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    const { unmount } = show(<PasskeySignIn onSignedIn={() => undefined} />)
    await waitFor(() => expect(get).toHaveBeenCalledOnce())
    expect(get.mock.calls[0]?.[0].mediation).toBe('conditional')
    get.mockRejectedValueOnce(cancelled)
    await press()
    await waitFor(() => expect(signals[0]?.aborted).toBe(true))
    // The press came to nothing, so the field offers again.
    await waitFor(() => expect(get).toHaveBeenCalledTimes(3))
    expect(get.mock.calls.map(([options]) => options.mediation)).toEqual(['conditional', undefined, 'conditional'])
    expect(screen.queryByRole('alert')).toBeNull()
    unmount()
    await waitFor(() => expect(signals[1]?.aborted).toBe(true))
  })

  it('is offered with a question that is never too old, and none for a tab that nobody sees', async () => {
    signOut()
    conditional = true
    authService({ [asking]: () => ({ body: question }) })
    get.mockImplementation(() => new Promise(() => undefined))
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
    show(<PasskeySignIn onSignedIn={() => undefined} />)
    await waitFor(() => expect(get).toHaveBeenCalledOnce())
    await act(() => vi.advanceTimersByTimeAsync(4 * 60_000))
    await waitFor(() => expect(get).toHaveBeenCalledTimes(2))
    hidden.mockReturnValue(true)
    await act(() => vi.advanceTimersByTimeAsync(10 * 60_000))
    expect(get).toHaveBeenCalledTimes(2)
    hidden.mockReturnValue(false)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(get).toHaveBeenCalledTimes(3))
    hidden.mockRestore()
  })
})

describe('an answer from the email field that is refused', () => {
  it('is followed by no new question until the person does something', async () => {
    signOut()
    // What a manager that answers by itself would do, forever.
    class Key {
      static isConditionalMediationAvailable = async () => true
      toJSON = () => ({ id: 'a' })
    }
    vi.stubGlobal('PublicKeyCredential', Key)
    get.mockImplementation(async () => new Key())
    const calls = authService({
      [asking]: () => ({ body: question }),
      'POST /passkeys/authentication/verify': () => refusal(400, 'webauthn_verification_failed', 'No such passkey'),
    })
    show(<PasskeySignIn onSignedIn={() => undefined} />)
    await screen.findByText(/^That passkey doesn’t open an account here/)
    await act(() => new Promise((done) => setTimeout(done)))
    expect(calls.filter(({ name }) => name === asking)).toHaveLength(1)
    await userEvent.click(document.body)
    await waitFor(() => expect(calls.filter(({ name }) => name === asking)).toHaveLength(2))
  })
})

describe('the offer after a password', () => {
  const offered = 'Next time without a password?'
  const later = () => act(() => vi.advanceTimersByTimeAsync(6000))

  async function offer(method = 'password', passkeys: object[] = []) {
    const { session, calls } = await signedIn(method, { 'GET /passkeys': () => ({ body: passkeys }) })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    await offerPasskey(session)
    await later()
    vi.useRealTimers()
    return { session, calls }
  }

  it('comes once for each person, and not again', async () => {
    show(<Aside />)
    const { session, calls } = await offer()
    await screen.findByText(offered)
    await userEvent.click(screen.getByRole('button', { name: 'Not now' }))
    expect(screen.queryByText(offered)).toBeNull()
    calls.length = 0
    await offerPasskey(session)
    expect(calls, 'nothing is asked').toEqual([])
  })

  it.each([
    ['who has one', 'password', [laptop]],
    ['who came by another way', 'otp', []],
    ['who came by a passkey', 'passkey', []],
  ])('does not come to %s', async (_, method, passkeys) => {
    show(<Aside />)
    await offer(method, passkeys)
    expect(screen.queryByText(offered)).toBeNull()
  })

  it('does not come to who sits down after them', async () => {
    show(<Aside />)
    const { session } = await signedIn('password', { 'GET /passkeys': () => ({ body: [] }) })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    await offerPasskey(session)
    act(() => provideSession({ status: 'signed-in', session: { ...session, user: { ...session.user, id: 'other' } } }))
    await later()
    act(() => provideSession({ status: 'signed-in', session }))
    expect(screen.queryByText(offered)).toBeNull()
    expect(localStorage.getItem('greenroom-passkey-offered') ?? '', 'they were not asked').not.toContain(
      session.user.id,
    )
  })

  it('does not come where the device cannot', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    show(<Aside />)
    const { calls } = await offer()
    expect(calls).toEqual([])
  })

  it('waits on a narrow screen until the reader goes on', async () => {
    const wide = window.matchMedia
    window.matchMedia = (query) => ({ ...wide(query), matches: query.includes('max-width') })
    localStorage.removeItem('greenroom-passkey-offered')
    try {
      show(<Aside />)
      await offer()
      expect(screen.queryByText(offered)).toBeNull()
      act(() => void window.dispatchEvent(new Event('scroll')))
      await screen.findByText(offered)
    } finally {
      window.matchMedia = wide
    }
  })

  it('does not come where browsers have none for this site', async () => {
    provideSettings(known)
    show(<Aside />)
    const { calls } = await offer()
    expect(calls).toEqual([])
  })

  it('goes with its person', async () => {
    show(<Aside />)
    await offer()
    await screen.findByText(offered)
    await act(async () => void (await (await auth()).signOut({ scope: 'local' })))
    await waitFor(() => expect(screen.queryByText(offered)).toBeNull())
  })
})

describe('the passkeys in the settings', () => {
  async function openSection(passkeys: object[], answers: Parameters<typeof authService>[0] = {}) {
    const { session, calls } = await signedIn('password', { 'GET /passkeys': () => ({ body: passkeys }), ...answers })
    show(<PasskeySection session={session} />, '/settings')
    return calls
  }

  it('tell what they are, where they were made and when they were used', async () => {
    const used = { ...laptop, id: 'b', friendly_name: 'Phone', synced: false, last_used_at: new Date().toISOString() }
    await openSection([laptop, used])
    const rows = await screen.findAllByRole('listitem')
    expect(rows[0]?.textContent).toContain('Safari on macOS · synced · added November 3, 2026')
    expect(rows[0]?.textContent).toContain('Not used yet')
    expect(rows[1]?.textContent).toContain('Safari on macOS · added November 3, 2026')
    expect(rows[1]?.textContent).toContain('Last used just now')
  })

  it('say why one was not added, and nothing to who closed the question', async () => {
    let answer = { body: question } as ReturnType<typeof refusal>
    await openSection([], { 'POST /passkeys/registration/options': () => answer })
    const add = async () => userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }))
    answer = refusal(422, 'too_many_passkeys', 'Maximum number of passkeys reached')
    await add()
    await screen.findByText('You already have ten passkeys. Remove one first.')
    answer = refusal(400, 'reauthentication_needed', 'Please confirm that it is you')
    await add()
    const check = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
    check.getByLabelText('Password')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('show the one that was added', async () => {
    const passkeys: object[] = []
    const options = {
      ...question.options,
      user: { id: 'AAAA', name: 'mara', displayName: 'Mara' },
      pubKeyCredParams: [],
    }
    await openSection(passkeys, {
      'POST /passkeys/registration/options': () => ({ body: { ...question, options } }),
      'POST /passkeys/registration/verify': () => {
        passkeys.push(laptop)
        return { body: laptop }
      },
    })
    create.mockResolvedValue(new Key())
    await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }))
    await screen.findByRole('button', { name: 'Rename iCloud Keychain' })
  })

  it('are renamed once by two quick presses', async () => {
    const calls = await openSection([laptop], { 'PATCH /passkeys/a': () => ({ body: laptop }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Rename iCloud Keychain' }))
    const save = screen.getByRole('button', { name: 'Save' })
    act(() => {
      save.click()
      save.click()
    })
    await screen.findByText('Passkey renamed')
    expect(calls.filter(({ name }) => name === 'PATCH /passkeys/a')).toHaveLength(1)
  })

  it('are renamed, and never to nothing', async () => {
    let name = 'iCloud Keychain'
    const calls = await openSection([laptop], {
      'GET /passkeys': () => ({ body: [{ ...laptop, friendly_name: name }] }),
      'PATCH /passkeys/a': ({ friendly_name }) => {
        name = String(friendly_name)
        return { body: { ...laptop, friendly_name } }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Rename iCloud Keychain' }))
    const field = screen.getByLabelText('Name')
    await userEvent.clear(field)
    await userEvent.type(field, ' {Enter}')
    await screen.findByText('Enter a name')
    expect(calls.map(({ name }) => name)).not.toContain('PATCH /passkeys/a')
    await userEvent.type(field, 'Laptop {Enter}')
    await screen.findByRole('button', { name: 'Rename Laptop' })
  })

  it('go on with what was wanted once the owner has shown that it is them', async () => {
    let isSure = false
    const calls = await openSection([laptop], {
      'DELETE /passkeys/a': () =>
        isSure ? { status: 204 } : refusal(400, 'reauthentication_needed', 'Please confirm'),
      'PUT /user': () => {
        isSure = true
        return { body: {} }
      },
      'POST /token?grant_type=refresh_token': () => ({ body: sessionOf('mara@example.com') }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Remove iCloud Keychain' }))
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await userEvent.type(await screen.findByLabelText('Password'), 'a fine long secret{Enter}')
    await screen.findByText('Passkey removed')
    expect(calls.filter(({ name }) => name === 'DELETE /passkeys/a')).toHaveLength(2)
  })

  it('take one that is gone already for removed', async () => {
    const calls = await openSection([laptop], {
      'DELETE /passkeys/a': () => refusal(404, 'validation_failed', 'Passkey not found'),
      'POST /token?grant_type=refresh_token': () => ({ body: sessionOf('mara@example.com') }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Remove iCloud Keychain' }))
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await screen.findByText('Passkey removed')
    expect(calls.map(({ name }) => name)).toContain('POST /token?grant_type=refresh_token')
  })
})
