import { expect, test } from 'vitest'
import { more } from './audit-view'

test('a line that stands for many says how many and until when', () => {
  const until = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date('2026-03-01T12:24:00Z'))
  expect(more({ times: 15, last_at: '2026-03-01T12:24:00Z' })).toBe(` … and 15 more until ${until}`)
  expect(more({ times: 1, last_at: null })).toBe('')
})
