import { describe, expect, it } from 'vitest'
import { blankCourse, courseSchema, inputOf } from './course-schema'

const good = {
  ...blankCourse('AI Tools'),
  title: ' Falls ',
  instructor: 'Ada',
  duration: '8 weeks',
  thumbnail: '/art/falls.avif',
  description: 'How to fall.',
}

const refusal = (part: object) => {
  const { error } = courseSchema.safeParse({ ...good, ...part })
  return error?.issues[0]?.message
}

describe('a course form', () => {
  it('begins with the first category, Beginner, 4.5 and no lessons', () => {
    expect(blankCourse('Creator Economy')).toMatchObject({ level: 'Beginner', rating: '4.5', lessons: '0' })
  })

  it('gives what the data API takes', () => {
    expect(courseSchema.parse({ ...good, launch_at: '2026-12-01T10:00' })).toEqual({
      ...good,
      title: 'Falls',
      lessons: 0,
      rating: 4.5,
      launch_at: null,
    })
    expect(courseSchema.parse({ ...good, coming_soon: true, launch_at: '2026-12-01T10:00' }).launch_at).toBe(
      new Date('2026-12-01T10:00').toISOString(),
    )
  })

  it.each(['title', 'instructor', 'duration', 'thumbnail', 'description', 'lessons', 'rating'])('needs %s', (field) => {
    expect(refusal({ [field]: ' ' })).toBe('Required')
  })

  it.each(['-0.1', '5.1', '99'])('refuses the rating %s', (rating) => {
    expect(refusal({ rating })).toBe('Rating must be a number from 0 to 5')
  })

  it('refuses ratings between the steps, text for numbers, and odd pictures', () => {
    expect(refusal({ rating: '4.55' })).toBe('Rating goes in steps of 0.1')
    expect(refusal({ rating: 'x' })).toBe('Expected number, received nan')
    expect(refusal({ lessons: '1.5' })).toBe('Lessons must be a whole number')
    for (const thumbnail of ['http://x/y.png', 'javascript:alert(1)', '//evil.example/x', 'x.png', '/\\evil'])
      expect(refusal({ thumbnail })).toMatch(/https/)
  })

  it.each(['0', '0.1', '4.7', '5'])('takes the rating %s', (rating) => {
    expect(refusal({ rating })).toBeUndefined()
  })

  it('shows a stored course as it was entered', () => {
    const stored = {
      ...courseSchema.parse({ ...good, coming_soon: true, launch_at: '2026-12-01T10:00' }),
      id: 'x',
      created_at: '',
    }
    expect(inputOf(stored)).toEqual({ ...good, title: 'Falls', coming_soon: true, launch_at: '2026-12-01T10:00' })
  })
})
