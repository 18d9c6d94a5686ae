import { expect, test } from 'vitest'
import { actOf, actorOf, more } from './audit-view'

test('a line that stands for many says how many and until when', () => {
  const until = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date('2026-03-01T12:24:00Z'))
  expect(more({ times: 15, last_at: '2026-03-01T12:24:00Z' })).toBe(` … and 15 more until ${until}`)
  expect(more({ times: 1, last_at: null })).toBe('')
})

test('a right password is told apart from a try', () => {
  expect(actOf({ action: 'session.try', result: 'ok' })).toBe('Entered the right password')
  expect(actOf({ action: 'session.try', result: 'wrong password' })).toBe('Tried to sign in')
  expect(actOf({ action: 'admin.grant', result: 'ok' })).toBe('Made someone an admin')
})

test('what nobody signed says where it came from', () => {
  const unsigned = { actor: '', actor_id: '', action: 'admin.grant', address: '' }
  expect(actorOf(unsigned)).toBe('Command line')
  expect(actorOf({ ...unsigned, address: '192.0.2.1' })).toBe('Service key')
  expect(actorOf({ ...unsigned, action: 'session.try' })).toBe('Not signed in')
  expect(actorOf({ ...unsigned, actor_id: 'an id' })).toBe('an id')
  expect(actorOf({ ...unsigned, actor_id: 'an id', actor: 'mara@example.com' })).toBe('mara@example.com')
})
