import { kinds as inquiryKinds } from '@/lib/inquiry'
import type { RowOf } from '@/lib/rows'

// The rows that only the panel lists.

export const entryColumns = {
  id: 'string',
  user_id: 'string?',
  course_title: 'string',
  email: 'string',
  name: 'string?',
  created_at: 'string',
  workshop_id: 'string?',
  spot: 'number?',
} as const

export type Entry = RowOf<typeof entryColumns>

export const messageColumns = {
  id: 'string',
  user_id: 'string',
  course_title: 'string',
  course_description: 'string?',
  instructor_name: 'string?',
  email: 'string',
  created_at: 'string',
  kind: ['recommendation', ...inquiryKinds],
} as const

export type Message = RowOf<typeof messageColumns>
export type Kind = Message['kind']
