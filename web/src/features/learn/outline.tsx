import type { ReactNode } from 'react'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import type { Enrollment, Lesson } from './api'
import { LockDrawing } from './drawings'
import type { Grouped } from './grouped'
import { kindOf } from './kind'
import { moment, opensAt } from './words'

type OutlineProps = {
  course: string
  groups: Grouped
  current: string
  done: ReadonlySet<string>
  enrollment: Enrollment | undefined
  /** Teachers see all of it. */
  isFree: boolean
  now: number
  onGo?: () => void
}

/** The lessons of a course beside the one on show. */
export function Outline({ course, groups, current, done, enrollment, isFree, now, onGo }: OutlineProps) {
  const all = groups.flatMap((group) => group.lessons)
  return (
    <ol className="outline-sections">
      {groups.map(({ section, lessons }) => (
        <li key={section.id}>
          <h3 className="outline-section">{section.title}</h3>
          <ol className="outline-lessons">
            {lessons.map((lesson) => {
              const opens = opensAt(lesson, enrollment)
              const isShut = !isFree && !lesson.preview && (!enrollment || opens > now)
              return (
                <li key={lesson.id}>
                  <Link
                    to={`/learn/${course}/${lesson.id}`}
                    className="outline-lesson"
                    aria-current={lesson.id === current ? 'page' : undefined}
                    onClick={onGo}
                  >
                    <Mark isDone={done.has(lesson.id)} isShut={isShut} number={all.indexOf(lesson) + 1} />
                    <span className="outline-words">
                      <span className="outline-title">{lesson.title}</span>
                      <span className="outline-note">
                        {note(lesson, isShut && enrollment ? opens : 0, !enrollment && !isFree)}
                      </span>
                    </span>
                  </Link>
                </li>
              )
            })}
          </ol>
        </li>
      ))}
    </ol>
  )
}

function note(lesson: Lesson, opens: number, isStranger: boolean): ReactNode {
  if (opens > 0) return `Opens ${moment(opens)}`
  const kind = kindOf(lesson)
  return isStranger && lesson.preview ? `${kind} · Preview` : kind
}

function Mark({ isDone, isShut, number }: { isDone: boolean; isShut: boolean; number: number }) {
  if (isDone)
    return (
      <span className="outline-mark" data-done>
        <Icon name="check" />
        <span className="sr-only">Completed: </span>
      </span>
    )
  if (isShut)
    return (
      <span className="outline-mark">
        <LockDrawing />
        <span className="sr-only">Locked: </span>
      </span>
    )
  return (
    <span className="outline-mark" aria-hidden="true">
      {number}
    </span>
  )
}
