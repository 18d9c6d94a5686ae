import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { linesOf } from '@/lib/format'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import { allOf, type Course } from './api'
import { Instructor } from './instructor'

type CourseStoryProps = { course: Course; trailer?: ReactNode; outline?: ReactNode }

/** What a course is about, for whom, and who teaches it. A part that nobody wrote does not show. */
export function CourseStory({ course, trailer, outline }: CourseStoryProps) {
  const lines = linesOf(course.learn)
  return (
    <div className="wrap-anywhere grid gap-x-16 gap-y-14 px-(--gutter) pt-8 pb-16 sm:pt-14 lg:grid-cols-[minmax(0,52rem)_minmax(280px,340px)] lg:justify-between">
      <div className="grid content-start gap-14">
        <section aria-label="About this course">
          <Heading>About this course</Heading>
          <p className={clsx('mt-5 whitespace-pre-line', lead(course.description))}>{course.description}</p>
        </section>
        {trailer}
        {lines.length > 0 && (
          <section aria-label="What you will learn">
            <Heading>What you will learn</Heading>
            <ul className="mt-5 border-b border-hairline">
              {lines.map((line) => (
                <li key={line} className="flex gap-4 border-t border-hairline py-4 text-[1.0625rem] leading-snug">
                  <Icon name="check" className="text-(--hue-text)" />
                  {line}
                </li>
              ))}
            </ul>
          </section>
        )}
        {(course.audience || course.outcome) && (
          <div className="grid gap-x-10 gap-y-12 sm:grid-cols-2">
            <Told title="Who it is for" text={course.audience} />
            <Told title="What you make" text={course.outcome} />
          </div>
        )}
        {outline}
        <Instructor course={course} heading={<Heading>Instructor</Heading>} />
      </div>
      <Details course={course} />
    </div>
  )
}

/** Few words are set large; many are set to be read. */
const lead = (text: string) =>
  text.length <= 600
    ? 'font-serif text-[clamp(1.5rem,2.3vw,2.125rem)] leading-[1.28] text-foreground text-pretty'
    : 'max-w-[65ch] text-[1.0625rem] leading-relaxed text-soft'

const Heading = ({ children }: { children: ReactNode }) => (
  <h2 className="text-row font-semibold tracking-tight">{children}</h2>
)

function Told({ title, text }: { title: string; text: string }) {
  if (text === '') return null
  return (
    <section aria-label={title}>
      <Heading>{title}</Heading>
      <p className="mt-3 max-w-[52ch] text-[1.0625rem] leading-relaxed whitespace-pre-line text-soft">{text}</p>
    </section>
  )
}

const months = 'January February March April May June July August September October November December'.split(' ')

/** The pace that a course's length comes to, where that is a number of weeks. */
function paceOf({ duration, lessons }: Course): string {
  const weeks = Number(/^(\d+) weeks?$/.exec(duration)?.[1] ?? 0)
  const pace = weeks > 0 ? Math.round(lessons / weeks) : 0
  return pace > 0 ? `About ${pace} ${pace === 1 ? 'lesson' : 'lessons'} a week` : ''
}

/** What the head of the page does not say already. */
function Details({ course }: { course: Course }) {
  const [year, month] = course.created_at.split('-')
  const rows: [name: string, value: ReactNode][] = [
    [
      'Category',
      <Link
        key="category"
        to={allOf(course.category)}
        className="underline decoration-hairline underline-offset-4 hover:decoration-current"
      >
        {course.category}
      </Link>,
    ],
    ['Format', 'Online video'],
    ['Pace', paceOf(course)],
    ['Instructor', course.instructor],
    ['Listed since', `${months[Number(month) - 1] ?? ''} ${year}`.trim()],
  ]
  return (
    <aside
      aria-label="Course details"
      className="self-start rounded-card border border-hairline bg-surface-1 p-6 lg:sticky lg:top-[calc(var(--header)+24px)]"
    >
      <h2 className="text-row font-semibold tracking-tight">Course details</h2>
      <dl className="mt-3">
        {rows
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className="flex justify-between gap-6 border-b border-hairline py-3">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 text-right font-medium">{value}</dd>
            </div>
          ))}
      </dl>
      <p className="mt-5 text-meta text-muted">
        Have a question about this course?{' '}
        <Link
          to="/help-center"
          className="text-soft underline decoration-hairline underline-offset-4 hover:decoration-current"
        >
          Ask the Help Center
        </Link>
        .
      </p>
    </aside>
  )
}
