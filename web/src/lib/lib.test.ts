import { describe, expect, it } from 'vitest'
import { parameter, withParameter } from './address'
import { BackendError, isDuplicate } from './backend'
import { clearDraft, readDraft, saveDraft } from './draft'
import { countdown, grouped } from './format'
import { forgetVisit, readPress, rememberWanted, takeWanted } from './memory'
import { makeQueryClient, mayPass, takeAnswers } from './query'
import { isUuid } from './uuid'

describe('the address', () => {
  it('gives a parameter as it was written by forms and by scripts', () => {
    expect(parameter('?q=a+b%20c%26', 'q')).toBe('a b c&')
    expect(parameter('?a=1&q=x=y', 'q')).toBe('x=y')
    expect(parameter('?q=%E0%A4%A', 'q')).toBe('%E0%A4%A')
    expect(parameter('', 'q')).toBe('')
  })

  it('sets one parameter, keeps the others, and removes an empty one', () => {
    expect(withParameter('?a=1&q=old', 'q', 'a&b')).toBe('?a=1&q=a%26b')
    expect(withParameter('?q=old', 'q', '')).toBe('')
  })
})

describe('a countdown', () => {
  it('counts days, hours and minutes', () => {
    expect(countdown(7 * 86_400_000 - 1)).toBe('6d 23h 59m')
    expect(countdown(61_000)).toBe('0d 0h 1m')
  })

  it('stops at nothing', () => expect(countdown(-5000)).toBe('0d 0h 0m'))
})

describe('a visit', () => {
  it('returns to the wanted page once, and only within the site', () => {
    rememberWanted('/my-list?x=1')
    expect(takeWanted()).toBe('/my-list?x=1')
    expect(takeWanted()).toBe('/')
    for (const elsewhere of ['//evil.test', 'https://evil.test', '/\\evil.test', 'javascript:alert(1)']) {
      rememberWanted(elsewhere)
      expect(takeWanted()).toBe('/')
    }
  })

  it('gives an older press up for whatever is wanted after it', () => {
    rememberWanted('/', { button: 'wait Timing', words: 'join the waitlist for Timing' })
    expect(readPress().button).toBe('wait Timing')
    rememberWanted('/trending')
    expect(readPress().button).toBe('')
  })

  it('keeps drafts until they are sent or the reader leaves', () => {
    saveDraft('help', { name: 'Mara' })
    saveDraft('contact', { name: 'Theo' })
    expect(readDraft('help')).toEqual({ name: 'Mara' })
    clearDraft('help')
    expect(readDraft('help')).toBeNull()
    forgetVisit()
    expect(readDraft('contact')).toBeNull()
  })
})

describe('a failed read', () => {
  it('is tried again when the failure may pass', () => {
    expect(mayPass(new TypeError('Failed to fetch'))).toBe(true)
    expect([0, 429, 500, 503].map((status) => mayPass(new BackendError('x', status)))).toEqual([true, true, true, true])
    expect([400, 401, 403, 404, 406].map((status) => mayPass(new BackendError('x', status)))).not.toContain(true)
  })

  it('waits from one second up to thirty, three times', () => {
    const { retry, retryDelay } = makeQueryClient().getDefaultOptions().queries ?? {}
    const again = retry as (failures: number, error: unknown) => boolean
    const delay = retryDelay as (attempt: number) => number
    expect([0, 1, 2, 3].map((failures) => again(failures, new TypeError()))).toEqual([true, true, true, false])
    expect([0, 1, 4, 9].map((attempt) => delay(attempt))).toEqual([1000, 2000, 16_000, 30_000])
  })
})

it('takes only good answers of the server', () => {
  const client = makeQueryClient()
  takeAnswers(client, {
    '["rest","courses","/a",false]': { status: 200, body: [{ id: 1 }], total: null },
    '["rest","courses","/b",false]': { status: 400, body: { message: 'no' }, total: null },
  })
  expect(client.getQueryData(['rest', 'courses', '/a', false])).toEqual({ rows: [{ id: 1 }], total: null })
  expect(client.getQueryData(['rest', 'courses', '/b', false])).toBeUndefined()
})

it('knows a duplicate by its code or by its words', () => {
  expect(isDuplicate({ error: { message: 'x', code: '23505' } })).toBe(true)
  expect(isDuplicate({ error: { message: 'Duplicate key' } })).toBe(true)
  expect(isDuplicate({ error: { message: 'x', code: '23503' } })).toBe(false)
  expect(isDuplicate({ error: null })).toBe(false)
})

it('groups the thousands of a number', () => {
  expect([7, 999, 1000, 250_000, 1_234_567].map(grouped)).toEqual(['7', '999', '1,000', '250,000', '1,234,567'])
})

it('knows a course id when it sees one', () => {
  expect(isUuid('6f9619ff-8b86-4d01-b42d-00cf4fc964ff')).toBe(true)
  expect(isUuid('6f9619ff')).toBe(false)
})
