import { describe, expect, it } from 'vitest'
import { type DraftQuestion, marked, moved, newQuestion, questionsIn, taking, textOf } from './draft'

const question = (many: boolean, ...right: boolean[]): DraftQuestion => ({
  id: 'q',
  prompt: 'Which?',
  many,
  explanation: '',
  choices: right.map((correct, at) => ({ id: `${at}`, text: `choice ${at}`, correct })),
})

const rightOf = ({ choices }: DraftQuestion) => choices.map(({ correct }) => (correct ? 1 : 0)).join('')

describe('a quiz in the making', () => {
  it('travels as text, and comes back', () => {
    const all = [question(true, true, false), newQuestion()]
    expect(questionsIn(textOf(all))).toEqual(all)
    expect(questionsIn('nonsense')).toEqual([])
    expect(questionsIn('{}')).toEqual([])
  })

  it('has one right choice where it takes one answer', () => {
    expect(rightOf(marked(question(false, true, false, false), '1', true))).toBe('010')
    expect(rightOf(marked(question(true, true, false, false), '1', true))).toBe('110')
    expect(rightOf(marked(question(true, true, true, false), '0', false))).toBe('010')
  })

  it('keeps the first right choice when it takes one answer from now on', () => {
    expect(rightOf(taking(question(true, false, true, true), false))).toBe('010')
    expect(rightOf(taking(question(false, false, true), true))).toBe('01')
    expect(taking(question(true, false, false), false).many).toBe(false)
  })

  it('is put in order step by step, and not beyond its ends', () => {
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
  })

  it('names what is new by a name of its own', () => {
    const [one, other] = [newQuestion(), newQuestion()]
    const ids = [one, other].flatMap(({ id, choices }) => [id, ...choices.map((choice) => choice.id)])
    expect(new Set(ids).size).toBe(6)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]{1,40}$/)
  })
})
