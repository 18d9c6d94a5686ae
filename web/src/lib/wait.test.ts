import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hearWait, waitAdvice } from './wait'

const refused = { status: 429 }

const told = (seconds: number | null) =>
  hearWait(new Response(null, { status: 429, headers: seconds === null ? {} : { 'Retry-After': String(seconds) } }))

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('how long to wait', () => {
  it.each([
    [1, '1 second'],
    [42, '42 seconds'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [240, '4 minutes'],
    [5400, '90 minutes'],
    [5401, '2 hours'],
  ])('is said in words (%d s)', (seconds, words) => {
    told(seconds)
    expect(waitAdvice(refused)).toBe(`Try again in ${words}`)
  })

  it('grows shorter while one waits', () => {
    told(240)
    vi.advanceTimersByTime(125_000)
    expect(waitAdvice(refused)).toBe('Try again in 2 minutes')
    vi.advanceTimersByTime(125_000)
    expect(waitAdvice(refused)).toBe('Try again in a moment')
  })

  it('is nothing that another refusal speaks of', () => {
    told(240)
    for (const error of [{ status: 500 }, new Error('offline'), null, undefined])
      expect(waitAdvice(error)).toBeUndefined()
  })

  it('is heard of a refusal alone', () => {
    vi.setSystemTime(Date.now() + 1e9)
    hearWait(new Response(null, { status: 503, headers: { 'Retry-After': '240' } }))
    expect(waitAdvice(refused)).toBe('Try again in a moment')
  })
})
