import { describe, expect, it } from 'vitest'
import { heightOf, topOf, visible } from './window'

const closed = { count: 1_000_000, rowHeight: 60, openIndex: -1, panelHeight: 0 }
const open = { ...closed, openIndex: 10, panelHeight: 500 }

describe('the window over a long list', () => {
  it('holds what can be seen and a little more, whatever the length', () => {
    const { first, last } = visible(6_000_000, 6_000_900, closed)
    expect(first).toBeLessThanOrEqual(100_000)
    expect(last).toBeGreaterThanOrEqual(100_015)
    expect(last - first).toBeLessThan(50)
  })

  it('stays inside the list', () => {
    expect(visible(-5000, -4000, closed).first).toBe(0)
    expect(visible(0, 900, { ...closed, count: 3 })).toEqual({ first: 0, last: 2 })
    expect(visible(0, 900, { ...closed, count: 0 })).toEqual({ first: 0, last: -1 })
    expect(visible(59_999_000, 60_000_000, closed).last).toBe(999_999)
  })

  it('moves what is below an open row by its panel', () => {
    expect(topOf(10, open)).toBe(600)
    expect(topOf(11, open)).toBe(1160)
    expect(heightOf(open)).toBe(60_000_500)
  })

  it('finds each row at its own place, open or not', () => {
    for (const layout of [closed, open]) {
      for (let index = 0; index < 40; index++) {
        const { first, last } = visible(topOf(index, layout), topOf(index, layout) + 1, layout)
        expect(first).toBeLessThanOrEqual(index)
        expect(last).toBeGreaterThanOrEqual(index)
      }
    }
  })
})
