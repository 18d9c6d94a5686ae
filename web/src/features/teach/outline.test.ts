import { describe, expect, it } from 'vitest'
import {
  type Lesson,
  lessonMoved,
  lessonPlaced,
  type Outline,
  orderOf,
  outlineOf,
  sectionMoved,
  sectionPlaced,
  whereLesson,
} from './outline'

const lesson = (id: string, section_id: string, position: number): Lesson => ({
  id,
  section_id,
  title: id.toUpperCase(),
  kind: 'text',
  position,
  state: 'draft',
  preview: false,
  release_days: null,
  release_at: null,
  seconds: 0,
})

const outline = outlineOf(
  [
    { id: 'one', title: 'One', position: 1 },
    { id: 'two', title: 'Two', position: 2 },
    { id: 'three', title: 'Three', position: 3 },
  ],
  [lesson('a', 'one', 1), lesson('b', 'one', 2), lesson('c', 'two', 3)],
)

const words = (of: Outline | null) =>
  of &&
  orderOf(of)
    .map(({ id, lessons }) => `${id}:${lessons.join('')}`)
    .join(' ')

describe('a lesson', () => {
  it('moves one place, and over the edge of its section into the next', () => {
    expect(words(lessonMoved(outline, 'b', -1))).toBe('one:ba two:c three:')
    expect(words(lessonMoved(outline, 'a', 1))).toBe('one:ba two:c three:')
    expect(words(lessonMoved(outline, 'b', 1))).toBe('one:a two:bc three:')
    expect(words(lessonMoved(outline, 'c', -1))).toBe('one:abc two: three:')
    expect(words(lessonMoved(outline, 'c', 1))).toBe('one:ab two: three:c')
  })

  it('stays at the ends', () => {
    expect(lessonMoved(outline, 'a', -1)).toBeNull()
    expect(lessonMoved(lessonMoved(outline, 'c', 1) ?? outline, 'c', 1)).toBeNull()
    expect(lessonMoved(outline, 'unknown', 1)).toBeNull()
  })

  it('goes back by the opposite step, from wherever it is', () => {
    for (const id of ['a', 'b', 'c'])
      for (const step of [-1, 1] as const) {
        const moved = lessonMoved(outline, id, step)
        if (moved) expect(words(lessonMoved(moved, id, step === 1 ? -1 : 1))).toBe(words(outline))
      }
  })

  it('is dropped before another, and where it was it stays', () => {
    expect(words(lessonPlaced(outline, 'a', { chapter: 1, index: 1 }))).toBe('one:b two:ca three:')
    expect(words(lessonPlaced(outline, 'a', { chapter: 0, index: 2 }))).toBe('one:ba two:c three:')
    expect(lessonPlaced(outline, 'a', { chapter: 0, index: 1 })).toBeNull()
    expect(lessonPlaced(outline, 'a', { chapter: 0, index: 0 })).toBeNull()
  })

  it('belongs to the section that it came to, and says where it is', () => {
    const moved = lessonMoved(outline, 'b', 1) as Outline
    expect(moved[1]?.lessons[0]?.section_id).toBe('two')
    expect(whereLesson(moved, 'b')).toBe('B: number 1 of 2 in Two')
  })
})

describe('a section', () => {
  it('moves with its lessons', () => {
    expect(words(sectionMoved(outline, 'two', -1))).toBe('two:c one:ab three:')
    expect(words(sectionMoved(outline, 'two', 1))).toBe('one:ab three: two:c')
    expect(sectionMoved(outline, 'one', -1)).toBeNull()
    expect(sectionMoved(outline, 'three', 1)).toBeNull()
    expect(words(sectionPlaced(outline, 'one', 3))).toBe('two:c three: one:ab')
  })
})
