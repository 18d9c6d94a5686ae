import { expect, it } from 'vitest'
import { steepestPart } from './watched-part'

const parts = (...reached: number[]) =>
  reached.map((count, index) => ({ from_seconds: index * 5, to_seconds: index * 5 + 5, reached: count, seen: count }))

it.each([
  [[10, 9, 4, 4], 1],
  [[10, 10, 10], -1],
  [[2, 1], -1],
  [[], -1],
])('%j stop most after part %s', (reached, index) => {
  expect(steepestPart(parts(...(reached as number[])))).toBe(index)
})
