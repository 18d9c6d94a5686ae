import { expect, test } from 'vitest'
import { dayOf, faceOf, lengthOf } from './words'

test('a day is that of UTC, whoever reads it', () => {
  expect(dayOf('2026-11-16T23:59:59.5Z')).toBe('November 16, 2026')
  expect(dayOf('2026-01-02T00:00:00+00:00')).toBe('January 2, 2026')
})

test('a length is told in the words of the paper', () => {
  expect([59, 60, 3600, 12_000, 7260].map(lengthOf)).toEqual([
    '',
    '1 minute',
    '1 hour',
    '3 hours 20 minutes',
    '2 hours 1 minute',
  ])
})

test('a name is set in one face', () => {
  expect(['Zoë Łukasiewicz', 'Ștefan', 'Siân Ŵynne', 'Nguyễn', 'Ţiriac', 'Анна', '王小明'].map(faceOf)).toEqual([
    'serif',
    'serif',
    'serif',
    'sans',
    'sans',
    'sans',
    'sans',
  ])
})
