import { z } from 'zod/v3'
import type { Course } from '@/lib/rows'

export const levels = ['Beginner', 'Intermediate', 'Advanced', 'All Levels'] as const

const text = (most: number) => z.string().trim().min(1, 'Required').max(most)
const told = z.string().trim().max(2000, 'At most 2,000 characters')
const number = z.string().trim().min(1, 'Required').transform(Number)
const isPicture = (address: string) => /^https:\/\/[^\s/\\]+/.test(address) || /^\/(?![/\\])\S*$/.test(address)

export const courseSchema = z
  .object({
    title: text(200),
    instructor: text(100),
    duration: text(50),
    category: z.string(),
    level: z.enum(levels),
    lessons: number.pipe(z.number().int('Lessons must be a whole number').min(0).max(10_000)),
    rating: number.pipe(
      z
        .number()
        .min(0, 'Rating must be a number from 0 to 5')
        .max(5, 'Rating must be a number from 0 to 5')
        .refine((value) => Math.abs(value * 10 - Math.round(value * 10)) < 1e-9, 'Rating goes in steps of 0.1'),
    ),
    thumbnail: text(2000).refine(isPicture, 'An address that begins with https://, or a path of this site'),
    description: text(5000),
    learn: told,
    audience: told,
    outcome: told,
    instructor_bio: told,
    coming_soon: z.boolean(),
    launch_at: z.string(),
  })
  .transform((course) => ({
    ...course,
    // A course that is out has no launch to count down to.
    launch_at: course.coming_soon && course.launch_at !== '' ? new Date(course.launch_at).toISOString() : null,
  }))

export type CourseInput = z.input<typeof courseSchema>
export type CourseValues = z.output<typeof courseSchema>

export const blankCourse = (category: string): CourseInput => ({
  title: '',
  instructor: '',
  duration: '',
  category,
  level: 'Beginner',
  lessons: '0',
  rating: '4.5',
  thumbnail: '',
  description: '',
  learn: '',
  audience: '',
  outcome: '',
  instructor_bio: '',
  coming_soon: false,
  launch_at: '',
})

/** A moment as a date field shows it: in the reader's time zone, to the minute. */
export function localMoment(iso: string | null): string {
  if (!iso) return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const inputOf = (course: Pick<Course, keyof CourseInput>): CourseInput => ({
  ...blankCourse(course.category),
  title: course.title,
  instructor: course.instructor,
  duration: course.duration,
  level: levels.find((level) => level === course.level) ?? 'Beginner',
  lessons: String(course.lessons),
  rating: String(course.rating),
  thumbnail: course.thumbnail,
  description: course.description,
  learn: course.learn,
  audience: course.audience,
  outcome: course.outcome,
  instructor_bio: course.instructor_bio,
  coming_soon: course.coming_soon,
  launch_at: localMoment(course.launch_at),
})
