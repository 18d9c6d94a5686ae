import type { Session } from '@supabase/auth-js'
import { authService, sessionOf } from '@test/auth-service'
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { noteArrivalNews, useArrivalNews } from './arrival'
import { openAuth } from './auth-client'
import { awaitLink, isLinked } from './auth-linked'

afterEach(() => {
  noteArrivalNews(null)
  localStorage.clear()
  history.replaceState(null, '', '/')
})

let visits = 0

/** Comes to the site by a mailed link of a kind. */
async function arrive(type: string) {
  const { user, ...session } = sessionOf('mara@greenroom.test', 'otp')
  authService({ 'GET /user': () => ({ body: user }) })
  const said = new URLSearchParams({ ...session, expires_at: `${session.expires_at}`, expires_in: '3600', type })
  history.replaceState(null, '', `/#${said}`)
  const news = renderHook(useArrivalNews)
  await openAuth(`test-${visits++}`)
  return news.result
}

describe('a mailed link', () => {
  it.each(['signup', 'invite', 'email_change'])('that confirms an address is answered by a word (%s)', async (type) => {
    const news = await arrive(type)
    await waitFor(() => expect(news.current).toBe('Your email is confirmed'))
    expect(location.hash).toBe('')
  })

  it.each(['recovery', 'magiclink'])('that only opens a session is not (%s)', async (type) => {
    const news = await arrive(type)
    expect(news.current).toBeNull()
  })

  it('is a stranger’s unless this browser asked for it, for that address and not long ago', async () => {
    const opened = sessionOf('mara@greenroom.test', 'otp') as unknown as Session
    await arrive('magiclink')
    expect(isLinked(opened)).toBe(true)
    awaitLink('mallory@greenroom.test')
    await arrive('magiclink')
    expect(isLinked(opened)).toBe(true)
    awaitLink('Mara@greenroom.test')
    await arrive('magiclink')
    expect(isLinked(opened)).toBe(false)
    vi.setSystemTime(Date.now() + 25 * 60 * 60_000)
    await arrive('magiclink')
    expect(isLinked(opened)).toBe(true)
    vi.useRealTimers()
  })

  it('that is only an address without a session says nothing', async () => {
    history.replaceState(null, '', '/#type=signup')
    const news = renderHook(useArrivalNews)
    await openAuth('test-bare')
    expect(news.result.current).toBeNull()
  })
})
