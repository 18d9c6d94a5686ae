import { type ReactNode, useId } from 'react'
import { Star } from '@/ui/icon'
import { Link } from '@/ui/link'
import { type CourseSummary, gelOf } from './api'
import { Countdown } from './countdown'
import { Still } from './still'

/** What other features put on a card. */
export type CardActions = { corner: ReactNode; foot: ReactNode }

type CourseCardProps = {
  course: CourseSummary
  actions: CardActions
  /** The level below the heading that the card stands under. */
  level?: 2 | 3
}

export function CourseCard({ course, actions, level = 3 }: CourseCardProps) {
  const heading = useId()
  const Heading = `h${level}` as const
  const still = <Still course={course} className="still-edge aspect-video rounded-card" />
  return (
    <article
      data-gel={gelOf(course.category)}
      aria-labelledby={heading}
      className="group/card relative flex h-full flex-col"
    >
      {course.coming_soon ? (
        <div className="relative">
          {still}
          <p className="absolute bottom-2.5 left-2.5 flex items-center gap-2 rounded-full bg-veil px-3 py-1 text-kicker font-medium">
            <span className="text-gold">Coming soon</span>
            <Countdown launchAt={course.launch_at} />
          </p>
        </div>
      ) : (
        still
      )}
      <div className="absolute top-2 right-2 z-10">{actions.corner}</div>
      <div className="flex grow flex-col pt-3.5">
        <p className="kicker text-[0.6875rem] text-(--hue-text)">{course.category}</p>
        <Heading id={heading} className="mt-1.5 line-clamp-2 text-[1.0625rem] leading-snug font-semibold text-pretty">
          <Link
            to={`/course/${course.id}`}
            className="after:absolute after:inset-0 after:rounded-card after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-ring"
          >
            {course.title}
          </Link>
        </Heading>
        <p className="mt-1 text-meta text-muted">{course.instructor}</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-1.5 text-meta text-muted">
          <Rating value={course.rating} />
          {`· ${course.duration} · ${course.level}`}
        </p>
        <div className="relative z-10 mt-auto pt-3.5">{actions.foot}</div>
      </div>
    </article>
  )
}

export function Rating({ value }: { value: number }) {
  return (
    <span className="inline-flex items-center gap-1 font-medium text-foreground tabular-nums">
      <Star />
      <span className="sr-only">Rated </span>
      {value.toFixed(1)}
    </span>
  )
}
