// The order of a curriculum: sections, and lessons in them. Every change gives a new outline, or null where there is none.

export type Lesson = {
  id: string
  section_id: string
  title: string
  kind: 'text' | 'video' | 'quiz'
  position: number
  state: 'draft' | 'published'
  preview: boolean
  release_days: number | null
  release_at: string | null
  seconds: number
}

export type Section = { id: string; title: string; position: number }
export type Chapter = Section & { lessons: Lesson[] }
export type Outline = readonly Chapter[]

/** Puts lessons under their sections, both in their order. */
export function outlineOf(sections: readonly Section[], lessons: readonly Lesson[]): Outline {
  return sections.map((section) => ({ ...section, lessons: lessons.filter((one) => one.section_id === section.id) }))
}

export const lessonsOf = (outline: Outline) => outline.flatMap((chapter) => chapter.lessons)

export type Order = { id: string; lessons: string[] }[]

/** The order as the server wants it: whole. */
export const orderOf = (outline: Outline): Order =>
  outline.map(({ id, lessons }) => ({ id, lessons: lessons.map((lesson) => lesson.id) }))

export type Place = { chapter: number; index: number }

export function placeOf(outline: Outline, lesson: string): Place | null {
  for (const [chapter, { lessons }] of outline.entries()) {
    const index = lessons.findIndex(({ id }) => id === lesson)
    if (index >= 0) return { chapter, index }
  }
  return null
}

/** Puts a lesson before the one that stands at a place now. */
export function lessonPlaced(outline: Outline, lesson: string, to: Place): Outline | null {
  const from = placeOf(outline, lesson)
  const moved = from && outline[from.chapter]?.lessons[from.index]
  const target = outline[to.chapter]
  if (!from || !moved || !target) return null
  const index = from.chapter === to.chapter && from.index < to.index ? to.index - 1 : to.index
  if (from.chapter === to.chapter && from.index === index) return null
  return outline.map((chapter, at) => {
    if (at !== from.chapter && at !== to.chapter) return chapter
    const lessons = chapter.lessons.filter(({ id }) => id !== lesson)
    if (at === to.chapter) lessons.splice(index, 0, { ...moved, section_id: target.id })
    return { ...chapter, lessons }
  })
}

/** Moves a lesson one place up or down; from the edge of a section into the next one. */
export function lessonMoved(outline: Outline, lesson: string, step: -1 | 1): Outline | null {
  const from = placeOf(outline, lesson)
  if (!from) return null
  const { chapter, index } = from
  const here = outline[chapter]?.lessons.length ?? 0
  if (step < 0 && index > 0) return lessonPlaced(outline, lesson, { chapter, index: index - 1 })
  if (step > 0 && index < here - 1) return lessonPlaced(outline, lesson, { chapter, index: index + 2 })
  const next = outline[chapter + step]
  return next
    ? lessonPlaced(outline, lesson, { chapter: chapter + step, index: step < 0 ? next.lessons.length : 0 })
    : null
}

/** Puts a section before the one that stands at an index now. */
export function sectionPlaced(outline: Outline, section: string, to: number): Outline | null {
  const from = outline.findIndex(({ id }) => id === section)
  const moved = outline[from]
  const index = from < to ? to - 1 : to
  if (!moved || index === from || index < 0 || index >= outline.length) return null
  const others = outline.filter(({ id }) => id !== section)
  others.splice(index, 0, moved)
  return others
}

export function sectionMoved(outline: Outline, section: string, step: -1 | 1): Outline | null {
  const from = outline.findIndex(({ id }) => id === section)
  return sectionPlaced(outline, section, step < 0 ? from - 1 : from + 2)
}

/** Changes one lesson, wherever it stands. */
export const withLesson = (outline: Outline, lesson: string, change: Partial<Lesson>): Outline =>
  outline.map((chapter) => ({
    ...chapter,
    lessons: chapter.lessons.map((one) => (one.id === lesson ? { ...one, ...change } : one)),
  }))

/** Where a lesson is now, in words. */
export function whereLesson(outline: Outline, lesson: string): string {
  const place = placeOf(outline, lesson)
  const chapter = place && outline[place.chapter]
  if (!place || !chapter) return ''
  const { title } = chapter.lessons[place.index] as Lesson
  return `${title}: number ${place.index + 1} of ${chapter.lessons.length} in ${chapter.title}`
}

export function whereSection(outline: Outline, section: string): string {
  const index = outline.findIndex(({ id }) => id === section)
  return `${outline[index]?.title}: section ${index + 1} of ${outline.length}`
}
