import { clock } from '@/ui/player/clock'
import type { Note } from './api'

type Lesson = { id: string; title: string }

/** Notes below their lessons, in the order of the course; lessons without notes are left out. */
export const byLesson = (lessons: readonly Lesson[], notes: readonly Note[]) =>
  lessons
    .map(({ id, title }) => ({ id, title, notes: notes.filter(({ lesson_id }) => lesson_id === id) }))
    .filter((group) => group.notes.length > 0)

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A line that would begin a heading, a list or a quotation of its own is only text. */
const plain = (line: string) => line.replace(/^(\s*)([#>\-+*=~`|])/, '$1\\$2').replace(/^(\s*\d+)([.)])/, '$1\\$2')

/** All notes of a course as a Markdown file. */
export function notesAsMarkdown(course: string, lessons: readonly Lesson[], notes: readonly Note[]): string {
  const parts = byLesson(lessons, notes).map(({ title, notes }) => {
    const items = notes.map(({ at_seconds, text }) => {
      const lines = text.split('\n').map(plain).join('\n  ')
      return `- ${at_seconds === null ? '' : `**${clock(at_seconds)}** `}${lines}`
    })
    return `## ${oneLine(title)}\n\n${items.join('\n')}\n`
  })
  return `# Notes: ${oneLine(course)}\n\n${parts.join('\n')}`
}

/** A name for the file that every system takes. */
export const fileName = (course: string) =>
  `notes-${
    course
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'course'
  }.md`
