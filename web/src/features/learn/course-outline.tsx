import { useQuery } from '@tanstack/react-query'
import { useNow } from '@/lib/now'
import { readQuery } from '@/lib/query'
import { Icon } from '@/ui/all-icons'
import { Link } from '@/ui/link'
import { type Enrollment, type Lesson, sectionsOf, useStanding } from './api'
import { FileDrawing, LockDrawing, QuizDrawing } from './drawings'
import { grouped } from './grouped'
import { kindOf } from './kind'
import { lessonCount, opening } from './words'

/** More than this are folded away, but for the first section. */
const many = 40

/** What a course teaches, on its page: who looks around sees what they may look into. */
export function CourseOutline({ course, lessons }: { course: string; lessons: readonly Lesson[] }) {
  const { data } = useQuery(readQuery(sectionsOf(course)))
  const { enrollment, done } = useStanding(course)
  const groups = grouped(data?.rows ?? [], lessons)
  if (groups.length === 0) return null
  return (
    <section aria-label="Curriculum">
      <h2 className="text-row font-semibold tracking-tight">Curriculum</h2>
      <div className="mt-5 grid gap-8">
        {groups.map((group, index) => (
          <details key={group.section.id} open={index === 0 || lessons.length <= many}>
            <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-4">
              <h3 className="font-medium">{group.section.title}</h3>
              <span className="text-meta text-muted tabular-nums">{lessonCount(group.lessons.length)}</span>
            </summary>
            <ol className="border-b border-hairline">
              {group.lessons.map((lesson) => (
                <li key={lesson.id} className="flex items-center gap-4 border-t border-hairline py-3">
                  <Line course={course} lesson={lesson} enrollment={enrollment} isDone={done.has(lesson.id)} />
                </li>
              ))}
            </ol>
          </details>
        ))}
      </div>
    </section>
  )
}

type LineProps = { course: string; lesson: Lesson; enrollment: Enrollment | undefined; isDone: boolean }

function Line({ course, lesson, enrollment, isDone }: LineProps) {
  const now = useNow()
  const isIn = enrollment !== undefined
  // What anybody may look into is open.
  const opens = lesson.preview ? '' : opening(lesson, enrollment, now)
  const isShut = !isIn && !lesson.preview
  return (
    <>
      {isDone ? (
        <Icon name="check" className="text-(--hue-text)" />
      ) : isShut ? (
        <LockDrawing className="text-muted" />
      ) : lesson.kind === 'video' ? (
        <Icon name="lessons" className="text-muted" />
      ) : lesson.kind === 'quiz' ? (
        <QuizDrawing className="text-muted" />
      ) : (
        <FileDrawing className="text-muted" />
      )}
      <span className="min-w-0 grow">
        {isShut ? (
          <>
            <span className="sr-only">Locked: </span>
            {lesson.title}
          </>
        ) : (
          <Link to={`/learn/${course}/${lesson.id}`} className="py-1 hover:underline">
            {isDone && <span className="sr-only">Completed: </span>}
            {lesson.title}
          </Link>
        )}
        {opens && <span className="block text-meta text-muted">{opens}</span>}
      </span>
      {!isIn && lesson.preview && (
        <Link
          to={`/learn/${course}/${lesson.id}`}
          aria-label={`Preview: ${lesson.title}`}
          className="shrink-0 text-meta font-medium whitespace-nowrap text-accent hover:underline"
        >
          Preview
        </Link>
      )}
      <span className="min-w-[5.1em] shrink-0 text-right text-meta whitespace-nowrap text-muted tabular-nums">
        {kindOf(lesson)}
      </span>
    </>
  )
}
