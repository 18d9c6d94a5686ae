import { expect, test } from 'vitest'
import type { Note } from './api'
import { fileName, notesAsMarkdown } from './markdown'

const note = (lesson_id: string, at_seconds: number | null, text: string): Note => ({
  id: text,
  lesson_id,
  at_seconds,
  text,
  created_at: '2026-11-16T13:30:00Z',
})

test('notes stand below their lessons, in the order of the course, and stay text', () => {
  const lessons = [
    { id: 'a', title: 'Where to\nstand' },
    { id: 'b', title: 'No notes here' },
    { id: 'c', title: 'The take' },
  ]
  const notes = [
    note('c', 65, 'The turn.\n\n# loud\n- list\n1. first\n> said'),
    note('a', null, 'Window in front.'),
    note('gone', 3, 'Of a lesson that is gone.'),
    note('c', 3725, '*stars*'),
  ]
  expect(notesAsMarkdown('The *Room*', lessons, notes)).toBe(
    [
      '# Notes: The *Room*',
      '',
      '## Where to stand',
      '',
      '- Window in front.',
      '',
      '## The take',
      '',
      '- **1:05** The turn.',
      '  ',
      '  \\# loud',
      '  \\- list',
      '  1\\. first',
      '  \\> said',
      '- **1:02:05** \\*stars*',
      '',
    ].join('\n'),
  )
})

test('a file is named after its course, whatever that is called', () => {
  expect(fileName('Screen Acting: Level 2!')).toBe('notes-screen-acting-level-2.md')
  expect(fileName('表演')).toBe('notes-course.md')
})
