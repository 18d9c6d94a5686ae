import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isDuplicate, orThrow, rest } from '@/lib/backend'
import { keys } from '@/lib/keys'
import { useNow } from '@/lib/now'
import { readAnew, readQuery } from '@/lib/query'
import { usePress, useReaderId } from '@/lib/session'
import { useSignIn } from '@/lib/sign-in'
import { waitAdvice } from '@/lib/wait'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'
import { toast } from '@/ui/toast'
import { enrollmentOf, type Lesson, learningKey, type Offer, useStanding } from './api'
import { doneOf, length, lessonCount, opening, price } from './words'

export type Course = { id: string; title: string; coming_soon: boolean }

/** Whether anybody may begin this course now. What costs something cannot be paid for here yet. */
export const isOpen = (offer: Offer, course: Course) =>
  offer.published_at !== null && offer.open && offer.price_cents === 0 && !course.coming_soon

/** Whether it could be taken, and its teachers let nobody new in. */
const isClosed = ({ published_at, open }: Offer, { coming_soon }: Course) =>
  published_at !== null && !open && !coming_soon

/** Takes part in a course. A second press is the first. */
function useEnroll(course: Course) {
  const user = useReaderId()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const answer = await (await rest()).from('enrollments').insert({ user_id: user, course_id: course.id })
      if (!isDuplicate(answer)) {
        orThrow(answer)
        return 'enrolled'
      }
      const known = await client.fetchQuery({ ...readQuery(enrollmentOf(user, course.id)), staleTime: 0 })
      return known.rows[0]?.revoked_at ? 'ended' : 'already'
    },
    onSuccess: (outcome) => {
      if (outcome === 'enrolled') toast.success("You're enrolled! Enjoy the course.")
      // What ended says so itself, where the button was.
      else if (outcome === 'already') toast.info("You're already enrolled")
    },
    onError: (error) => toast.error('Failed to enroll. Please try again.', waitAdvice(error)),
    // Who takes a course waits for it no longer.
    onSettled: () =>
      readAnew(
        client,
        keys.table('enrollments'),
        keys.table('lesson_progress'),
        keys.table('course_waitlist'),
        ['lesson', user],
        learningKey(user),
      ),
  })
}

/** Where somebody goes on: at the first lesson that is not done, beginning with the one they were in last. */
export function nextLesson(lessons: readonly Lesson[], done: ReadonlySet<string>, last?: string): Lesson | undefined {
  const from = Math.max(
    0,
    lessons.findIndex(({ id }) => id === last),
  )
  const inOrder = [...lessons.slice(from), ...lessons.slice(0, from)]
  return inOrder.find(({ id }) => !done.has(id)) ?? lessons[0]
}

type EnrollProps = { course: Course; offer: Offer; lessons: readonly Lesson[]; className?: string }

/** The way into a course: what it says depends on how far its reader is. */
export function Enroll({ course, offer, lessons }: EnrollProps) {
  const { enrollment, isRevoked, done, last } = useStanding(course.id)
  const now = useNow()
  const wasPressed = useRef(false)
  const enroll = useEnroll(course)
  const signIn = useSignIn()
  const press = usePress(
    { button: `enroll ${course.id}`, words: `enroll in ${course.title}`, takesAccount: true },
    (isSignedIn, _, pressed) => {
      if (enroll.isPending) return
      if (!isSignedIn) {
        toast.error('Please sign in to enroll')
        return signIn(pressed)
      }
      wasPressed.current = true
      enroll.mutate()
    },
  )
  // The button that was pressed is gone: its focus goes on with what came in its place.
  const takeFocus = (link: HTMLAnchorElement | null) => {
    if (wasPressed.current && link) link.focus({ preventScroll: true })
    wasPressed.current = false
  }
  if (isRevoked)
    return (
      <p className="w-full">
        Your access to this course was ended.{' '}
        <Link ref={takeFocus} to="/help-center" className="whitespace-nowrap text-accent underline underline-offset-4">
          Contact support
        </Link>
      </p>
    )
  const to = nextLesson(lessons, done, last)
  if (enrollment && to) {
    const many = lessons.filter(({ id }) => done.has(id)).length
    const label = many === lessons.length ? 'Watch Again' : many > 0 || last ? 'Continue Course' : 'Start Course'
    const opens = to.preview || done.has(to.id) ? '' : opening(to, enrollment, now)
    return (
      <>
        <Button asChild look="accent" size="large">
          <Link ref={takeFocus} to={`/learn/${course.id}/${to.id}`}>
            {label}
          </Link>
        </Button>
        {opens && <p className="w-full text-meta text-muted">{`Next: ${to.title}. ${opens}`}</p>}
      </>
    )
  }
  if (isClosed(offer, course)) return <p className="w-full text-muted">Enrollment is closed.</p>
  if (!isOpen(offer, course)) return null
  return (
    <Button look="accent" size="large" aria-disabled={enroll.isPending} {...press}>
      {enroll.isPending ? 'Enrolling...' : enrollLabel(offer)}
    </Button>
  )
}

export const enrollLabel = ({ price_cents }: Offer) =>
  price_cents ? `Enroll for ${price(price_cents)}` : 'Enroll for Free'

/** What it costs, or how far its reader is. */
export function PriceLine({ course, offer, lessons, className = 'mt-4' }: EnrollProps) {
  const { enrollment, isRevoked, done } = useStanding(course.id)
  if (!enrollment && (isRevoked || !isOpen(offer, course))) return null
  const many = lessons.filter(({ id }) => done.has(id)).length
  const film = offer.seconds > 0 ? ` · ${length(offer.seconds)} of video` : ''
  return (
    <p className={`text-meta text-muted tabular-nums ${className}`}>
      {enrollment ? doneOf(many, lessons.length) : `Free · ${lessonCount(lessons.length)}${film}`}
    </p>
  )
}
