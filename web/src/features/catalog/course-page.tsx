import type { ReactNode } from 'react'
import { Head } from '@/lib/head'
import { Icon } from '@/ui/all-icons'
import { Link } from '@/ui/link'
import { acrossPage } from '@/ui/picture'
import { Skeleton } from '@/ui/skeleton'
import { type Course, gelOf } from './api'
import { Countdown } from './countdown'
import { Rating } from './course-card'
import { ShareMenu } from './share-menu'
import { Still } from './still'

/** A course whose description is '' is known from a card, and the rest is on its way. */
type CoursePageProps = { course: Course; failed: ReactNode; wait: ReactNode; heart: ReactNode; more: ReactNode }

export function CoursePage({ course, failed, wait, heart, more }: CoursePageProps) {
  return (
    <div data-gel={gelOf(course.category)}>
      <CourseHead course={course} />
      <section aria-label={course.title} className="relative flex min-h-[min(72svh,720px)] items-end overflow-hidden">
        <div data-passage="still" className="absolute inset-0">
          <Still
            course={course}
            first
            sizes={acrossPage}
            className="absolute! inset-0 max-sm:bottom-auto! max-sm:h-[62%] max-sm:[mask-image:linear-gradient(#000_65%,transparent)]"
          />
          <div className="absolute inset-0 scrim-side max-sm:hidden" />
          <div className="absolute inset-x-0 bottom-0 scrim-floor h-2/5 max-sm:h-3/4" />
        </div>
        <div data-passage="words" className="relative w-full px-(--gutter) pt-[calc(var(--header)+96px)] pb-10">
          <Link
            to={`/?category=${encodeURIComponent(course.category)}`}
            className="kicker inline-block py-1 text-(--hue-text) hover:underline"
          >
            {course.category}
          </Link>
          <h1 className="mt-3 max-w-[18ch] font-serif text-hero tracking-[-0.02em] text-balance">{course.title}</h1>
          <Facts course={course} />
          <div className="mt-8 flex flex-wrap items-center gap-3">
            {wait}
            <ShareMenu title={course.title} />
            {heart}
          </div>
        </div>
      </section>
      {course.description === '' ? (
        failed || <Skeleton className="mx-(--gutter) mt-14 mb-[100dvh] h-24 max-w-[65ch]" />
      ) : (
        <>
          <div className="grid gap-12 px-(--gutter) py-14 lg:grid-cols-[minmax(0,65ch)_minmax(280px,360px)] lg:justify-between">
            <div>
              <h2 className="text-row font-semibold tracking-tight">About this course</h2>
              <p className="mt-4 text-[1.0625rem] leading-relaxed whitespace-pre-line text-soft">
                {course.description}
              </p>
              <h2 className="mt-12 text-row font-semibold tracking-tight">Instructor</h2>
              <p className="mt-3 font-serif text-2xl">{course.instructor}</p>
            </div>
            <Details course={course} />
          </div>
          {more}
        </>
      )}
    </div>
  )
}

function Facts({ course }: { course: Course }) {
  const facts = [
    ['clock', course.duration],
    ['lessons', `${course.lessons} ${course.lessons === 1 ? 'lesson' : 'lessons'}`],
    ['level', course.level],
  ] as const
  return (
    <ul className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2 text-[0.9375rem] tabular-nums">
      <li>
        <Rating value={course.rating} />
      </li>
      {facts.map(([icon, text]) => (
        <li key={icon} className="inline-flex items-center gap-2 text-soft">
          <Icon name={icon} className="size-4.5 text-muted" />
          {text}
        </li>
      ))}
      {course.coming_soon && (
        <li className="inline-flex items-center gap-2">
          <span className="text-gold">Coming soon</span>
          <Countdown launchAt={course.launch_at} />
        </li>
      )}
    </ul>
  )
}

function Details({ course }: { course: Course }) {
  const rows = [
    ['Category', course.category],
    ['Level', course.level],
    ['Duration', course.duration],
    ['Lessons', String(course.lessons)],
    ['Rating', `${course.rating.toFixed(1)} of 5`],
    ['Instructor', course.instructor],
  ]
  return (
    <aside aria-label="Course details" className="self-start rounded-card border border-hairline bg-surface-1 p-6">
      <h2 className="text-row font-semibold tracking-tight">Course details</h2>
      <dl className="mt-3">
        {rows.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-6 border-b border-hairline py-3 last:border-0 last:pb-0">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </aside>
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
