import type { Settings } from '@/lib/settings'

export const settings: Settings = {
  apiKey: 'sb_publishable_test',
  siteUrl: 'https://greenroom.test',
  supportEmail: 'support@greenroom.test',
  social: {
    instagram: 'https://instagram.test/greenroom',
    youtube: 'https://youtube.test/greenroom',
    x: 'https://x.test/greenroom',
    linkedin: 'https://linkedin.test/greenroom',
  },
  confirmEmail: false,
  providers: [],
  passkeys: false,
  emailSignIn: false,
  guests: false,
}

const base = {
  instructor: 'Mara Ellison',
  duration: '8 weeks',
  category: 'Acting & Performance',
  thumbnail: '',
  description: 'Scenes, notes and a finished tape.',
  lessons: 24,
  level: 'Beginner',
  rating: 4.9,
  coming_soon: false,
  launch_at: null,
  learn: 'Find the beat\nKeep it',
  audience: 'Actors.',
  outcome: 'A tape.',
  instructor_bio: 'Mara Ellison reads. She also listens.',
  created_at: '2026-10-01T09:00:00+00:00',
}

export const courses = [
  { ...base, id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', title: 'The Audition Room' },
  {
    ...base,
    id: '7f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    title: 'Timing <img src=x onerror=alert(1)>',
    coming_soon: true,
  },
] as const

export const workshop = {
  id: '8f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  title: 'Screen Acting and Professional Preparation Workshop',
  host: 'an actor from a streaming series',
  about: 'What happens between the self-tape and the set.',
  learn: 'Read a scene for the camera\nTake a note',
  date_text: 'Late November 2025',
  starts_at: null,
  time_text: '13:30 to 14:15',
  duration_minutes: 45,
  spots: 12,
  spots_left: 7,
}
