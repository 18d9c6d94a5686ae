import { courses } from '@test/catalogue'
import { describe, expect, it, vi } from 'vitest'
import { distance, meant } from './near-miss'

/** A catalog of one course, searched as the server searches it. */
const find = (title: string, category = 'Acting & Performance') =>
  vi.fn(async (text: string) => {
    const course = { ...courses[0], title, category }
    const isFound = [title, category, course.instructor].some((field) =>
      field.toLowerCase().includes(text.toLowerCase()),
    )
    return { rows: isFound ? [course] : [], total: isFound ? 1 : 0 }
  })

describe('what may have been meant', () => {
  it.each([
    ['cinematografy', 'Cinematography Masterclass', 'cinematography'],
    ['cniema', 'Cinema for All', 'cinema'],
    ['Documentry film', 'Documentary Filmmaking', 'documentary film'],
    ['acting and performance', 'The Lab', 'acting & performance'],
    ['salt & light', 'Salt and Light', 'salt and light'],
    ['elison', 'The Lab', 'ellison'],
  ])('of %s', async (typed, title, wanted) => {
    expect(await meant(typed, find(title))).toBe(wanted)
  })

  it.each(['zzz', 'quantum physics', 'ab', 'the quick brown fox'])('is nothing of %s', async (typed) => {
    expect(await meant(typed, find('The Self-Tape Lab'))).toBe('')
  })

  it('asks no more of the server than a few halves', async () => {
    const asked = find('The Self-Tape Lab')
    await meant('one two three four five six seven eight nine ten', asked)
    expect(asked).not.toHaveBeenCalled()
    await meant('quantum physics lecture', asked)
    expect(asked.mock.calls.length).toBeLessThanOrEqual(6)
  })
})

it.each([
  ['', '', 0],
  ['film', 'film', 0],
  ['flim', 'film', 1],
  ['fil', 'film', 1],
  ['films', 'film', 1],
  ['silk', 'film', 2],
])('%s is %s but for %d', (a, b, far) => {
  expect(distance(a, b)).toBe(far)
})
