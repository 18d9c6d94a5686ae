import type { Session } from '@supabase/auth-js'
import { authService, refusal, sessionOf } from '@test/auth-service'
import { settings } from '@test/catalogue'
import { act, renderHook, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { forgetArrivalError, noteArrivalNews } from './arrival'

const adopting = 'POST /functions/v1/adopt-guest'
const kept = () => localStorage.getItem('greenroom-guest')

const guest = () => {
  const session = sessionOf('', 'anonymous')
  return { ...session, user: { ...session.user, id: 'the-guest', is_anonymous: true } } as unknown as Session
}
const member = () => sessionOf('mara@example.com') as unknown as Session
const renew = vi.fn()

/** The module remembers whom it has tried for, once for each page. */
async function onNewPage() {
  vi.resetModules()
  ;(await import('./settings')).provideSettings(settings)
  const { followGuest } = await import('./auth-guest')
  const arrival = await import('./arrival')
  return {
    follow: (session: Session | null) => act(() => followGuest(session, renew)),
    error: renderHook(arrival.useArrivalError).result,
    news: renderHook(arrival.useArrivalNews).result,
  }
}

afterEach(() => {
  forgetArrivalError()
  noteArrivalNews(null)
  renew.mockReset()
})

describe('a guest’s list', () => {
  it('goes to who signs in, once', async () => {
    const calls = authService({ [adopting]: () => ({ body: { kept: 2 } }) })
    const { follow, news } = await onNewPage()
    const visitor = guest()
    follow(visitor)
    expect(kept()).toContain('the-guest')
    follow(member())
    follow(member())
    await waitFor(() => expect(news.current).toBe('The courses you saved as a guest are in My List'))
    expect(calls.map(({ body }) => body.token)).toEqual([visitor.access_token])
    expect(kept()).toBeNull()
  })

  it('goes to nobody whom a link has signed in, at no later start either, unless this browser asked for the link', async () => {
    const calls = authService({ [adopting]: () => ({ body: { kept: 2 } }) })
    const { follow } = await onNewPage()
    follow(guest())
    const { awaitLink, noteLinked } = await import('./auth-linked')
    noteLinked(member().access_token)
    follow(member())
    const next = await onNewPage()
    next.follow(member())
    await new Promise((later) => setTimeout(later))
    expect(calls).toEqual([])
    expect(kept()).toContain('the-guest')
    awaitLink(' Mara@example.com')
    noteLinked(member().access_token)
    next.follow(member())
    await waitFor(() => expect(kept()).toBeNull())
  })

  it('stays with a guest who takes an address, and goes with one who leaves', async () => {
    const calls = authService({})
    const { follow } = await onNewPage()
    follow(guest())
    follow({ ...member(), user: { ...member().user, id: 'the-guest' } })
    expect(kept()).toBeNull()
    follow(guest())
    follow(null)
    expect(kept()).toBeNull()
    expect(calls).toEqual([])
  })

  it('that could not go is told of, and goes at the next start, with a token that is good then', async () => {
    authService({ [adopting]: () => refusal(503, 'UNAVAILABLE', 'Too busy') })
    const { follow, error } = await onNewPage()
    follow({ ...guest(), expires_at: 1 })
    renew.mockResolvedValue({ access_token: 'a new one' })
    follow(member())
    await waitFor(() => expect(error.current).toMatch(/^The courses you saved as a guest could not be moved/))
    expect(kept()).toContain('the-guest')
    const calls = authService({ [adopting]: () => ({ body: { kept: 0 } }) })
    const next = await onNewPage()
    next.follow(member())
    await waitFor(() => expect(kept()).toBeNull())
    expect(calls[0]?.body.token).toBe('a new one')
    expect(next.news.current, 'there was nothing on it').toBeNull()
  })

  it('that is gone is forgotten without a word', async () => {
    authService({ [adopting]: () => refusal(403, 'guest_not_found', 'There is nothing left to take over.') })
    const { follow, error } = await onNewPage()
    follow(guest())
    follow(member())
    await waitFor(() => expect(kept()).toBeNull())
    expect(error.current).toBeNull()
  })

  it.each(['refresh_token_not_found', 'refresh_token_already_used', 'session_not_found'])(
    'whose token another tab has used is forgotten, too (%s)',
    async (code) => {
      const calls = authService({})
      const { follow, error } = await onNewPage()
      follow({ ...guest(), expires_at: 1 })
      renew.mockRejectedValue(Object.assign(new Error('no'), { code }))
      follow(member())
      await waitFor(() => expect(kept()).toBeNull())
      expect(error.current).toBeNull()
      expect(calls).toEqual([])
    },
  )
})
