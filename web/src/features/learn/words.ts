import type { Enrollment, Lesson } from './api'

/** How long a lesson takes, in whole minutes. */
export const minutes = (seconds: number) => `${Math.max(1, Math.round(seconds / 60))} min`

/** How long all of it takes: '48 min', '1 h 20 min'. */
export function length(seconds: number): string {
  if (seconds < 60) return 'under 1 min'
  const all = Math.round(seconds / 60)
  const hours = Math.floor(all / 60)
  if (hours === 0) return `${all} min`
  return all % 60 === 0 ? `${hours} h` : `${hours} h ${all % 60} min`
}

export const lessonCount = (many: number) => (many === 1 ? '1 lesson' : `${many} lessons`)

/** '3 of 12 lessons'. */
export const doneOf = (done: number, of: number) => `${done} of ${lessonCount(of)}`

/** How much is done, in whole percent: rounded down, so that all of it is all of it. */
export const percent = (done: number, of: number) => (of > 0 ? Math.min(100, Math.floor((done / of) * 100)) : 0)

/** A moment as its reader's clock shows it: 'Nov 28, 1:30 PM'. */
export const moment = (time: number) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
    .format(time)
    .replaceAll('\u202f', ' ')

const day = 86_400_000

type Schedule = Pick<Lesson, 'release_at' | 'release_days'>

/** When a lesson opens for somebody; 0 for at once. A fixed moment wins over days after enrolling. */
export function opensAt({ release_at, release_days }: Schedule, enrollment: Enrollment | undefined): number {
  if (!enrollment || enrollment.opened_all) return 0
  if (release_at) return Date.parse(release_at)
  return release_days ? Date.parse(enrollment.created_at) + release_days * day : 0
}

/** When a lesson opens that does not yet, for who takes the course and for who looks at it; null is before any clock. */
export function opening(lesson: Schedule, enrollment: Enrollment | undefined, now: number | null): string {
  const { release_at, release_days } = lesson
  if (!enrollment && !release_at && release_days)
    return `Opens ${release_days === 1 ? '1 day' : `${release_days} days`} after you enroll`
  const opens = enrollment ? opensAt(lesson, enrollment) : Date.parse(release_at ?? '')
  return now !== null && opens > now ? `Opens ${moment(opens)}` : ''
}

/** '$49', '$49.50'. */
export const price = (cents: number) => `$${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}`

/** Around 220 words a minute. */
export const readingTime = (text: string) => Math.max(1, Math.round((text.match(/\S+/g)?.length ?? 0) / 220))

/** '1.2 MB'. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
