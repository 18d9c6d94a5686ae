import { authService, refusal, sessionOf } from '@test/auth-service'
import { show } from '@test/show'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { auth, currentSession } from '@/lib/session'
import { SettingsScreen } from './settings-screen'

const session = sessionOf('mara@example.com')
const acme = {
  id: 'mara-at-acme',
  identity_id: 'b0000000-0000-4000-8000-000000000000',
  user_id: session.user.id,
  provider: 'acme',
  identity_data: { email: 'mara@acme.example' },
}
const user = { ...session.user, identities: [acme] }
const device = (id: string, name: string, current: boolean) => ({
  id,
  device: name,
  address: '192.0.2.7',
  created_at: '2026-11-01T12:00:00Z',
  last_seen_at: '2026-11-01T12:00:00Z',
  current,
})
const both = [device('now', 'Chrome on macOS', true), device('before', 'Safari on iPhone', false)]

/** Comes back from a provider to Settings; `sessions` answers what is asked about devices. */
async function comeBack(sessions: Parameters<typeof authService>[0], left: string | null) {
  if (left) sessionStorage.setItem('greenroom.connecting', left)
  authService({ 'GET /user': () => ({ body: user }), 'POST /logout': () => ({ status: 204 }), ...sessions })
  await (await auth()).setSession(session)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  show(<SettingsScreen SecondStep={() => null} factors={() => null} />, '/settings')
}

const left = JSON.stringify({ provider: 'acme', session: 'before' })

describe('coming back from a provider', () => {
  afterEach(async () => {
    await (await auth()).signOut({ scope: 'local' })
    vi.unstubAllGlobals()
  })

  it('ends the session before, and shows no list that was read before that', async () => {
    let answerFirst = () => {}
    const held = new Promise<void>((resolve) => (answerFirst = resolve))
    let reads = 0
    let ended = false
    await comeBack(
      {
        'GET /functions/v1/sessions': async () => {
          const sessions = ended ? both.slice(0, 1) : both
          if (++reads === 1) await held
          return { body: { sessions } }
        },
        'POST /functions/v1/sessions': async ({ end }) => {
          await waitFor(() => expect(reads).toBe(1))
          ended = true
          setTimeout(answerFirst, 50)
          return { body: { ended: end } }
        },
      },
      left,
    )
    expect((await screen.findByText('Acme connected')).isConnected).toBe(true)
    await waitFor(() => expect(reads).toBe(2))
    await held
    expect((await screen.findByText('Chrome on macOS')).isConnected).toBe(true)
    expect(screen.queryByText('Safari on iPhone')).toBeNull()
  })

  it('says when the session before could not be ended', async () => {
    await comeBack(
      {
        'GET /functions/v1/sessions': () => ({ body: { sessions: both } }),
        'POST /functions/v1/sessions': () => refusal(503, 'overloaded', 'Too busy'),
      },
      left,
    )
    expect((await screen.findByText('Your earlier session is still open')).isConnected).toBe(true)
    const logged = vi.mocked(console.error)
    expect(logged.mock.calls).toEqual([[expect.objectContaining({ status: 503 })]])
    logged.mockClear()
  })

  it('shows Settings whatever lies in the storage', async () => {
    await comeBack({ 'GET /functions/v1/sessions': () => ({ body: { sessions: both } }) }, '{not ours')
    expect((await screen.findByText('Safari on iPhone')).isConnected).toBe(true)
    expect(screen.queryByText('Acme connected')).toBeNull()
  })
})

describe('a browser that was left open', () => {
  afterEach(async () => {
    await (await auth()).signOut({ scope: 'local' })
    vi.unstubAllGlobals()
  })

  it('asks for the password before a way in is removed, then goes on', async () => {
    let shown = false
    let removed = 0
    const password = { ...acme, identity_id: 'a0000000-0000-4000-8000-000000000000', provider: 'email' }
    await comeBack(
      {
        'GET /user': () => ({ body: { ...user, identities: [password, acme] } }),
        'GET /functions/v1/sessions': () => ({ body: { sessions: both } }),
        'PUT /user': () => {
          shown = true
          return { body: user }
        },
        [`DELETE /user/identities/${acme.identity_id}`]: () => {
          if (shown) removed++
          return shown ? { body: {} } : refusal(400, 'reauthentication_needed', 'Please confirm that it is you')
        },
      },
      null,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Disconnect Acme' }))
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Disconnect' }))
    const dialog = await screen.findByRole('dialog', { name: 'Confirm it’s you' })
    expect(removed).toBe(0)
    await userEvent.type(within(dialog).getByLabelText('Password'), 'the right one{Enter}')
    await screen.findByText('Acme disconnected')
    expect(removed).toBe(1)
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
