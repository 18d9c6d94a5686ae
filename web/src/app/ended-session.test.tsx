import { authService, sessionOf } from '@test/auth-service'
import { show } from '@test/show'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useEntries } from '@/features/waitlist/api'
import { auth, currentSession } from '@/lib/session'
import { Shell } from './shell'

function Entries() {
  return <p>{useEntries().status}</p>
}

const session = sessionOf('mara@example.com')
const ended = { code: 'PGRST301', message: 'JWT session has ended', details: null, hint: null }

/** Signed in, on a page whose first read the server refuses with 401. */
async function refused(refresh: () => { status?: number; body: unknown }) {
  authService({
    'GET /user': () => ({ body: session.user }),
    'GET /rest/v1/course_waitlist': () => ({ status: 401, body: ended }),
    'POST /token?grant_type=refresh_token': refresh,
    'POST /logout': () => ({ status: 204 }),
  })
  await (await auth()).setSession(session)
  await waitFor(() => expect(currentSession().status).toBe('signed-in'))
  show(
    <Shell>
      <Entries />
    </Shell>,
  )
}

it('a session that ended elsewhere ends here, with a word, whatever finds out', async () => {
  await refused(() => ({ status: 400, body: { code: 'refresh_token_not_found', message: 'Invalid Refresh Token' } }))
  expect((await screen.findByText('Your session has ended. Please sign in again.')).isConnected).toBe(true)
  expect(currentSession().status).toBe('anonymous')
  await waitFor(() => expect(localStorage.length).toBe(0))
})

it('a token that is refused though its session lives is made anew, and nobody is signed out', async () => {
  const next = { ...sessionOf('mara@example.com'), refresh_token: 'the-next-one' }
  await refused(() => ({ body: next }))
  await waitFor(() => expect(currentSession().session?.refresh_token).toBe('the-next-one'))
  expect(screen.queryByText('Your session has ended. Please sign in again.')).toBeNull()
})
