import { clsx } from 'clsx'
import { type PointerEvent, use, useId, useState } from 'react'
import { useLater } from '@/lib/later'
import { Star } from '@/ui/icon'
import { Link } from '@/ui/link'
import { type CourseSummary, gelOf } from './api'
import { CardActions } from './card-actions'
import { Countdown } from './countdown'
import { Still } from './still'

type CourseCardProps = {
  course: CourseSummary
  /** The level below the heading that the card stands under. */
  level?: 2 | 3
  /** A wide picture with the time until the course opens. */
  wide?: boolean
}

const closeUp = '(max-width: 639px) 123vw, 660px'

const loadGlance = () => import('./course-glance').then((module) => module.CourseGlance)

export function CourseCard({ course, level = 3, wide = false }: CourseCardProps) {
  const { corner, foot } = use(CardActions)(course)
  const heading = useId()
  const Heading = `h${level}` as const
  const [Glance, bring] = useLater(loadGlance)
  const [isHovered, hover] = useState(false)
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') return
    void bring()
    hover(true)
  }
  return (
    <article
      data-gel={gelOf(course.category)}
      aria-labelledby={heading}
      onPointerEnter={enter}
      onPointerLeave={() => hover(false)}
      className="group/card lift relative flex h-full flex-col"
    >
      <div className="relative">
        <Still
          course={course}
          {...(wide ? { sizes: closeUp } : {})}
          // What is not open yet is seen from close by.
          className={clsx('still-edge rounded-card', wide ? 'aspect-[21/9] [&_img]:scale-150' : 'aspect-video')}
        />
        {wide ? (
          <p className="scrim-side absolute inset-0 flex flex-col justify-end gap-1 rounded-card p-4">
            <span className="kicker text-[0.6875rem] text-gold">Coming soon</span>
            <span className="font-serif text-[2rem] leading-none">
              <Countdown launchAt={course.launch_at} />
            </span>
          </p>
        ) : (
          course.coming_soon && (
            <p className="absolute top-2.5 left-2.5 rounded-control bg-veil px-2.5 py-1.5 text-meta leading-none font-medium">
              <span className="kicker mb-1 block text-[0.6875rem] text-gold">Coming soon</span>
              <Countdown launchAt={course.launch_at} />
            </p>
          )
        )}
        {Glance && isHovered && !wide && <Glance id={course.id} />}
      </div>
      <div className="flex grow flex-col pt-3.5 wrap-anywhere">
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
        <div className="absolute top-2 right-2 z-10">{corner}</div>
        <div className="relative z-10 mt-auto flex self-start pt-0.5">{foot}</div>
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
