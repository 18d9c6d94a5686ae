import type { Lesson, Section } from './api'

export type Grouped = { section: Section; lessons: Lesson[] }[]

/** The sections with what is in them; one without lessons does not show. */
export const grouped = (sections: readonly Section[], lessons: readonly Lesson[]): Grouped =>
  sections
    .map((section) => ({ section, lessons: lessons.filter((lesson) => lesson.section_id === section.id) }))
    .filter((group) => group.lessons.length > 0)
