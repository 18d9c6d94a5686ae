import type { Read } from '@/lib/read'
import type { RowOf } from '@/lib/rows'

const reviewColumns = {
  id: 'string',
  author_name: 'string',
  stars: 'number',
  text: 'string',
  state: ['published', 'hidden'],
  hidden_for: 'string?',
  reply: 'string?',
  updated_at: 'string',
  created_at: 'string',
} as const

export type Review = RowOf<typeof reviewColumns>

/** How many reviews a course shows at first, and each time that somebody wants more. */
export const page = 10

/** What learners say of a course, the newest first. The same for everybody: whose a review is comes with the reader's own (calls.ts). */
export const reviewsOf = (course: string, limit = page, state: Review['state'] = 'published'): Read<Review> => ({
  table: 'course_reviews',
  columns: reviewColumns,
  where: [
    ['course_id', 'eq', course],
    ['state', 'eq', state],
  ],
  order: [
    ['created_at', 'desc'],
    ['id', 'asc'],
  ],
  limit,
})

/** What the reader may do about the reviews of a course, and what they said themselves. */
export type Standing = {
  may: boolean
  why: '' | 'sign in' | 'enroll' | 'teach' | 'confirm' | 'reviewed' | 'watch'
  mine: Review | null
  moderates: boolean
}

export const standingKey = (user: string, course: string) => ['review', user, course] as const

/** How many published reviews a course has, and how many of them gave each number of stars. */
export type Tally = { reviews: number } & Record<'stars1' | 'stars2' | 'stars3' | 'stars4' | 'stars5', number>

/** Until so many the rating of a course is its editors', from then on it is the mean of its reviews. */
export const isTheirs = ({ reviews }: Pick<Tally, 'reviews'>) => reviews >= 5
