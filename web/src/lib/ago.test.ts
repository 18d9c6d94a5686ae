import { describe, expect, it } from 'vitest'
import { ago } from './ago'

describe('how long ago', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  it.each([
    ['2026-11-15T11:59:40Z', 'just now'],
    ['2026-11-15T12:00:09Z', 'just now'],
    ['2026-11-15T11:48:00Z', '12 minutes ago'],
    ['2026-11-15T09:00:00Z', '3 hours ago'],
    ['2026-11-14T11:00:00Z', 'yesterday'],
    ['2026-10-16T12:00:00Z', '30 days ago'],
  ])('%s is %s', (then, words) => expect(ago(then, now, 'en')).toBe(words))
})
