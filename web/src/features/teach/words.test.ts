import { expect, it } from 'vitest'
import { clock, learnersWords, plural } from './api'
import { steepest } from './funnel'
import { localMoment, opensWords } from './release'
import { bytes } from './upload-view'

it('says lengths, counts and sizes as people do', () => {
  expect([clock(8), clock(485), clock(3723)]).toEqual(['0:08', '8:05', '1:02:03'])
  expect([plural(1, 'lesson'), plural(1200, 'lesson')]).toEqual(['1 lesson', '1,200 lessons'])
  expect([learnersWords(1), learnersWords(1000), learnersWords(1001)]).toEqual([
    '1 learner',
    '1,000 learners',
    '1,000+ learners',
  ])
  expect([bytes(12), bytes(1500), bytes(482_133), bytes(20_000_000_000)]).toEqual([
    '12 bytes',
    '1.5 kB',
    '482 kB',
    '20.0 GB',
  ])
})

it('says when a lesson opens: a moment wins over days, and at once needs no word', () => {
  const at = new Date(2026, 10, 28, 13, 30).toISOString()
  expect(opensWords({ release_days: 3, release_at: at })).toBe('Opens Nov 28, 1:30 PM')
  expect(opensWords({ release_days: 1, release_at: null })).toBe('Opens after 1 day')
  expect(opensWords({ release_days: null, release_at: null })).toBe('')
  expect(localMoment(at)).toBe('2026-11-28T13:30')
})

it('finds the lesson after which most are missing, and none where nobody stops', () => {
  const stages = (...reached: number[]) =>
    reached.map((count, index) => ({ id: `${index}`, title: '', reached: count, completed: 0 }))
  expect(steepest(stages(24, 22, 20, 12, 10))).toBe('2')
  expect(steepest(stages(3, 2, 1))).toBe('')
  expect(steepest([])).toBe('')
})
