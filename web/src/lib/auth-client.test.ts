import { authService, sessionOf } from '@test/auth-service'
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { noteArrivalNews, useArrivalNews } from './arrival'
import { openAuth } from './auth-client'

afterEach(() => {
  noteArrivalNews(null)
  localStorage.clear()
  history.replaceState(null, '', '/')
})

/** Comes to the site by a mailed link of a kind. */
async function arrive(type: string) {
  const { user, ...session } = sessionOf('mara@greenroom.test', 'otp')
  authService({ 'GET /user': () => ({ body: user }) })
  const said = new URLSearchParams({ ...session, expires_at: `${session.expires_at}`, expires_in: '3600', type })
  history.replaceState(null, '', `/#${said}`)
  const news = renderHook(useArrivalNews)
  await openAuth(`test-${type}`)
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

  it('that is only an address without a session says nothing', async () => {
    history.replaceState(null, '', '/#type=signup')
    const news = renderHook(useArrivalNews)
    await openAuth('test-bare')
    expect(news.result.current).toBeNull()
  })
})
