import { afterEach, describe, expect, it } from 'vitest'
import { addressCarriesOutcome, clearOutcome } from './arrival'

afterEach(() => history.replaceState(null, '', '/'))

const at = (address: string) => history.replaceState(null, '', address)

describe('what an address carries', () => {
  it.each([
    '/auth/reset-password#access_token=a&type=recovery',
    '/#error=access_denied',
    '/auth?error_description=no&x=1',
    '/auth?x=1&error_code=otp_expired',
  ])('is seen in %s', (address) => {
    at(address)
    expect(addressCarriesOutcome()).toBe(true)
  })

  it.each(['/', '/#trending', '/search?q=error', '/search?q=access_token%3D1'])('is not seen in %s', (address) => {
    at(address)
    expect(addressCarriesOutcome()).toBe(false)
  })

  it('goes without a trace in the history, and leaves the rest', () => {
    at('/auth?x=1&error=e&error_code=c&error_description=d#access_token=a')
    const entries = history.length
    clearOutcome(new URL(location.href))
    expect(location.pathname + location.search + location.hash).toBe('/auth?x=1')
    expect(history.length).toBe(entries)
  })
})
