import { type ReactNode, useState } from 'react'
import { useLater } from '@/lib/later'
import { Link } from '@/ui/link'
import { toast } from '@/ui/toast'
import type { Enrollment } from './api'
import { ListDrawing } from './drawings'
import type { Course } from './enroll'
import type { Grouped } from './grouped'
import { useKeptFocus } from './kept-focus'
import { Outline } from './outline'
import { doneOf, lessonCount, percent } from './words'

type SideProps = {
  course: Course
  groups: Grouped
  current: string
  done: ReadonlySet<string>
  enrollment: Enrollment | undefined
  isFree: boolean
  now: number
  /** For who does not take the course yet. */
  wayIn: ReactNode
}

function Standing({ groups, done, enrollment, wayIn }: SideProps) {
  const lessons = groups.flatMap((group) => group.lessons)
  const many = lessons.filter(({ id }) => done.has(id)).length
  if (!enrollment && wayIn) return <div className="lesson-way-in">{wayIn}</div>
  if (!enrollment) return <p className="lesson-note">{lessonCount(lessons.length)}</p>
  return (
    <div>
      <progress
        className="lesson-progress"
        max={100}
        value={percent(many, lessons.length)}
        aria-label="Course progress"
      />
      <p className="lesson-note">{doneOf(many, lessons.length)}</p>
    </div>
  )
}

/** The course beside its lesson, on large screens. */
export function Side(props: SideProps) {
  const { course, groups } = props
  const kept = useKeptFocus<HTMLElement>('[aria-current]')
  return (
    <aside className="lesson-side" aria-label="Course outline" {...kept}>
      <h2>
        <Link to={`/course/${course.id}`}>{course.title}</Link>
      </h2>
      {groups.length > 0 && <Standing {...props} />}
      <Outline {...props} course={course.id} />
    </aside>
  )
}

const loadSheet = () => import('@/ui/sheet').then((module) => module.Sheet)

/** The same on phones, where it comes when it is asked for. */
export function OutlineSheet(props: SideProps) {
  const [isOpen, setOpen] = useState(false)
  const [Sheet, bring] = useLater(loadSheet)
  const lessons = props.groups.flatMap((group) => group.lessons)
  const place = lessons.findIndex(({ id }) => id === props.current) + 1
  const open = async () => {
    if (await bring()) setOpen(true)
    else toast.error('This did not open. Please try again.')
  }
  return (
    <div className="lesson-opener">
      <button type="button" aria-haspopup="dialog" onClick={() => void open()}>
        <ListDrawing />
        <span>Lessons</span>
        {place > 0 && <span className="lesson-note">{`${place} of ${lessons.length}`}</span>}
      </button>
      {Sheet && (
        <Sheet open={isOpen} onOpenChange={setOpen} title={props.course.title}>
          <div className="lesson-sheet">
            <Standing {...props} />
            <Outline {...props} course={props.course.id} onGo={() => setOpen(false)} />
          </div>
        </Sheet>
      )}
    </div>
  )
}
