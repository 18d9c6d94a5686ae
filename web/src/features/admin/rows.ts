// The rows that the panel lists, as the data API gives them.

export type Course = {
  id: string
  title: string
  instructor: string
  duration: string
  category: string
  thumbnail: string
  description: string
  lessons: number
  level: string
  rating: number
  coming_soon: boolean
  launch_at: string | null
  created_at: string
}

export type Entry = {
  id: string
  user_id: string | null
  course_title: string
  email: string
  name: string | null
  created_at: string
  workshop_id: string | null
  spot: number | null
}

export const kinds = ['help', 'contact', 'investor', 'sponsorship'] as const
export type Kind = (typeof kinds)[number] | 'recommendation'

export type Message = {
  id: string
  user_id: string
  course_title: string
  course_description: string | null
  instructor_name: string | null
  email: string
  created_at: string
  kind: Kind
}

export type Workshop = {
  id: string
  title: string
  host: string
  about: string
  learn: string
  date_text: string
  time_text: string
  duration_minutes: number
  starts_at: string | null
  spots: number
  spots_left: number
}
