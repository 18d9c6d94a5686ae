import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readQuery } from '@/lib/query'
import { Link } from '@/ui/link'
import { type Course, othersOfInstructor } from './api'
import { Still } from './still'

const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('')
}

/** Who teaches a course: their name, a few words about them, and what else they teach here. */
export function Instructor({ course, heading }: { course: Course; heading: ReactNode }) {
  const { data } = useQuery(readQuery(othersOfInstructor(course)))
  return (
    <section aria-label="Instructor">
      {heading}
      <div className="mt-6 flex gap-5 sm:gap-7">
        <span
          aria-hidden="true"
          className="lit-disc flex size-16 shrink-0 items-center justify-center rounded-full font-serif text-2xl tracking-wide sm:size-24 sm:text-4xl"
        >
          {initialsOf(course.instructor)}
        </span>
        <div className="min-w-0">
          <p className="font-serif text-[1.75rem] leading-tight">{course.instructor}</p>
          {course.instructor_bio && (
            <p className="mt-3 max-w-[60ch] text-[1.0625rem] leading-relaxed whitespace-pre-line text-soft">
              {course.instructor_bio}
            </p>
          )}
        </div>
      </div>
      {data && data.rows.length > 0 && (
        <div className="mt-8">
          <h3 className="kicker text-faint">Also taught by {course.instructor}</h3>
          <ul className="mt-4 grid gap-5 sm:grid-cols-3">
            {data.rows.map((other) => (
              <li key={other.id}>
                <Link to={`/course/${other.id}`} className="group/card block">
                  <Still course={other} className="still-edge aspect-video rounded-card" />
                  <span className="mt-2.5 block font-medium text-pretty group-hover/card:underline">{other.title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
