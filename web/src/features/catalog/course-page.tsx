import type { ReactNode } from 'react'
import { Head } from '@/lib/head'
import { Icon } from '@/ui/all-icons'
import { Link } from '@/ui/link'
import { besideWords } from '@/ui/picture'
import { Scene } from '@/ui/scene'
import { Skeleton } from '@/ui/skeleton'
import { type Course, gelOf } from './api'
import { Countdown } from './countdown'
import { Rating } from './course-card'
import { ShareMenu } from './share-menu'
import { Still } from './still'

/** A course whose description is '' is known from a card, and the rest is on its way. */
type CoursePageProps = { course: Course } & Record<
  'failed' | 'rated' | 'enroll' | 'terms' | 'wait' | 'heart' | 'story' | 'more',
  ReactNode
>

export function CoursePage({ course, failed, rated, enroll, terms, wait, heart, story, more }: CoursePageProps) {
  return (
    <div data-gel={gelOf(course.category)}>
      <CourseHead course={course} />
      <Scene
        label={course.title}
        picture={<Still course={course} first sizes={besideWords} className="absolute! inset-0" />}
      >
        <Link
          to={`/?category=${encodeURIComponent(course.category)}`}
          className="kicker inline-block py-1 text-(--hue-text) hover:underline"
        >
          {course.category}
        </Link>
        <h1 className="mt-3 max-w-[15ch] font-serif text-hero tracking-[-0.02em] text-balance wrap-anywhere">
          {course.title}
        </h1>
        <Facts course={course} rated={rated} />
        <div className="mt-8 flex flex-wrap items-center gap-3">
          {enroll}
          {wait}
          <ShareMenu title={course.title} />
          {heart}
        </div>
        {terms}
      </Scene>
      {course.description === '' ? (
        failed || <Skeleton className="mx-(--gutter) mt-14 mb-[100dvh] h-24 max-w-[65ch]" />
      ) : (
        <>
          {story}
          {more}
        </>
      )}
    </div>
  )
}

function Facts({ course, rated }: { course: Course; rated: ReactNode }) {
  const facts = [
    ['clock', course.duration],
    ['lessons', `${course.lessons} ${course.lessons === 1 ? 'lesson' : 'lessons'}`],
    ['level', course.level],
  ] as const
  return (
    <>
      <ul className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2 text-[0.9375rem] tabular-nums">
        <li className={rated ? 'inline-flex items-center gap-1.5' : undefined}>
          <Rating value={course.rating} />
          {rated}
        </li>
        {facts.map(([icon, text]) => (
          <li key={icon} className="inline-flex items-center gap-2 text-soft">
            <Icon name={icon} className="size-4.5 text-muted" />
            {text}
          </li>
        ))}
      </ul>
      {course.coming_soon && (
        <p className="mt-4 flex items-baseline gap-3">
          <span className="kicker text-gold">Coming soon</span>
          <span className="text-xl font-medium">
            <Countdown launchAt={course.launch_at} />
          </span>
        </p>
      )}
    </>
  )
}

function CourseHead({ course: { title, description } }: { course: Course }) {
  return (
    <Head
      title={title}
      description={description.length > 180 ? `${description.slice(0, 177).trimEnd()}…` : description}
    />
  )
}
