import { orThrow, rest } from '@/lib/backend'
import { addEntry, reader, useAddEntry } from './api'

async function add(user: string, courseTitle: string) {
  const table = (await rest()).from('course_waitlist')
  const { data } = orThrow(await table.select('id').eq('user_id', user).eq('course_title', courseTitle).maybeSingle())
  return data ? 'already' : addEntry({ user_id: user, course_title: courseTitle, ...reader() })
}

/** Joins from the course page, which looks first and also leaves a name. */
export const useJoinFromPage = (courseTitle: string) =>
  useAddEntry(courseTitle, (user) => add(user, courseTitle), {
    added: 'Added to waitlist',
    already: 'Already on waitlist',
    failed: () => 'Failed to join waitlist. Please try again.',
  })
