import type { ReactNode } from 'react'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'
import type { Lesson } from './api'
import type { LessonFile } from './calls'
import { FileDrawing } from './drawings'
import { fileSize } from './words'

/** Stands where the lesson would: what is missing, and what to do about it. */
export function Gate({
  title,
  hint,
  mark,
  children,
}: {
  title: string
  hint?: string
  mark: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="lesson-gate">
      <span aria-hidden="true">{mark}</span>
      <p className="lesson-gate-title">{title}</p>
      {hint && <p className="lesson-gate-hint">{hint}</p>}
      {children}
    </div>
  )
}

export function Files({ files }: { files: readonly LessonFile[] }) {
  if (files.length === 0) return null
  return (
    <section aria-labelledby="lesson-files" className="lesson-files">
      <h2 id="lesson-files">Files</h2>
      <ul>
        {files.map((file) => (
          <li key={file.id}>
            <a href={file.url} download={file.name}>
              <FileDrawing />
              <span>{file.name}</span>
              <span className="lesson-note">{fileSize(file.size)}</span>
              <Icon name="download" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

type CompleteProps = {
  kind: Lesson['kind']
  isComplete: boolean
  isStrict: boolean
  onComplete: (isComplete: boolean) => void
}

/** Done or not, and what makes it so. */
export function Complete({ kind, isComplete, isStrict, onComplete }: CompleteProps) {
  if (isComplete)
    return (
      <>
        <p role="status">
          <Icon name="check" />
          Completed
        </p>
        {kind !== 'quiz' && (
          <Button look="ghost" size="small" onClick={() => onComplete(false)}>
            Undo
          </Button>
        )}
      </>
    )
  if (kind === 'quiz') return <p className="lesson-note">Marked complete once you’ve passed.</p>
  const byWatching = kind === 'video'
  return (
    <>
      {!(isStrict && byWatching) && (
        <Button onClick={() => onComplete(true)}>
          <Icon name="check" />
          Mark as complete
        </Button>
      )}
      <p className="lesson-note">
        {byWatching ? 'Marked complete once you’ve watched 90%.' : 'Next marks it complete, too.'}
      </p>
    </>
  )
}

type StepsProps = {
  course: string
  previous: Lesson | undefined
  next: Lesson | undefined
  /** The code of what they hold of the course. */
  certificate: string | undefined
  onNext: () => void
}

/** The lessons before and after. */
export function Steps({ course, previous, next, certificate, onNext }: StepsProps) {
  return (
    <nav aria-label="Lessons" className="lesson-steps">
      {certificate && (
        <Link to={`/certificate/${certificate}`} data-way="out">
          <span className="lesson-note">You completed this course</span>
          <span>View Certificate</span>
        </Link>
      )}
      {previous && (
        <Link to={`/learn/${course}/${previous.id}`} data-way="previous">
          <span className="lesson-note">Previous</span>
          <span>{previous.title}</span>
        </Link>
      )}
      {next ? (
        <Link to={`/learn/${course}/${next.id}`} data-way="next" onClick={onNext}>
          <span className="lesson-note">Next</span>
          <span>{next.title}</span>
        </Link>
      ) : (
        <Link to={`/course/${course}`} data-way="next" onClick={onNext}>
          <span className="lesson-note">You are at the end</span>
          <span>Back to the course</span>
        </Link>
      )}
    </nav>
  )
}
