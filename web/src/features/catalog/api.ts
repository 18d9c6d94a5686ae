import { contains, type Read } from '@/lib/read'
import { type Course, type CourseSummary, courseColumns, summaryColumns } from '@/lib/rows'

export type { Course, CourseSummary }

export const categories = [
  'Creator Economy',
  'Acting & Performance',
  'AI Tools',
  'Content Creation',
  'Business & Networking',
  'Marketing & Growth',
] as const

/** The name by which the style sheet knows a category's colour. */
export const gelOf = (category: string) => category.toLowerCase().replace(/[^a-z]+/g, '-')

const rowLength = 6
const trendingFrom = 4.8
export const pageLength = 24

const summaries: Read<CourseSummary> = {
  table: 'courses',
  columns: summaryColumns,
  order: [
    ['rating', 'desc'],
    ['created_at', 'desc'],
    ['id', 'asc'],
  ],
}

export const trendingRow: Read<CourseSummary> = {
  ...summaries,
  where: [['rating', 'gte', trendingFrom]],
  limit: rowLength,
}

export const comingSoonRow: Read<CourseSummary> = {
  ...summaries,
  where: [['coming_soon', 'is', true]],
  limit: rowLength,
}

export const categoryRow = (category: string): Read<CourseSummary> => ({
  ...summaries,
  where: [['category', 'eq', category]],
  limit: rowLength,
  count: true,
})

export const topRated: Read<CourseSummary> = { ...summaries, limit: 12 }

/** How many courses there are. */
export const everyCourse: Read<CourseSummary> = { ...summaries, limit: 1, count: true }

/** Three courses to go on with where a list is empty. */
export const suggestions: Read<CourseSummary> = { ...summaries, limit: 3 }

export const courseById = (id: string): Read<Course> => ({
  table: 'courses',
  columns: courseColumns,
  where: [['id', 'eq', id]],
  limit: 1,
})

export const moreInCategory = (course: Pick<Course, 'id' | 'category'>): Read<CourseSummary> => ({
  ...summaries,
  where: [
    ['category', 'eq', course.category],
    ['id', 'neq', course.id],
  ],
  limit: rowLength,
})

export const othersOfInstructor = (course: Pick<Course, 'id' | 'instructor'>): Read<CourseSummary> => ({
  ...summaries,
  where: [
    ['instructor', 'eq', course.instructor],
    ['id', 'neq', course.id],
  ],
  limit: 3,
})

export const coursesByIds = (ids: readonly string[]): Read<CourseSummary> => ({
  ...summaries,
  where: [['id', 'in', ids]],
  limit: ids.length,
})

/** The name as one of the categories; '' when it is none. */
export const knownCategory = (name: string) => categories.find((category) => category === name) ?? ''

/** The page with all courses of a category. */
export const allOf = (category: string) => `/search?category=${encodeURIComponent(category)}`

/** One page of what a text finds, in all categories or in one, with the exact number of all that it finds. */
export const searchPage = (text: string, category: string, page: number): Read<CourseSummary> => ({
  ...summaries,
  offset: page * pageLength,
  limit: pageLength,
  count: true,
  ...(category && { where: [['category', 'eq', category]] }),
  ...(text && { or: ['title', 'instructor', 'category', 'description'].map((column) => contains(column, text)) }),
})
