import './discuss.css'
import { save } from '@/lib/download'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { Link } from '@/ui/link'
import { Skeleton } from '@/ui/skeleton'
import { useLessonTitles, useNotes } from './api'
import { byLesson, fileName, notesAsMarkdown } from './markdown'
import { NoteRow } from './notes'

/** All notes of a course, each a way back to its moment. */
export function NotesScreen({ course }: { course: { id: string; title: string } }) {
  const notes = useNotes(course.id)
  const lessons = useLessonTitles(course.id)
  if (notes.isLoadingError || lessons.isLoadingError)
    return (
      <ErrorState
        title="Your notes could not be loaded"
        hint="They are safe."
        onRetry={() => void Promise.all([notes.refetch(), lessons.refetch()])}
      />
    )
  if (notes.isPending || lessons.isPending) return <Skeleton className="discuss-waiting" />
  const groups = byLesson(lessons.data, notes.data)
  if (groups.length === 0)
    return (
      <EmptyState
        title="No notes yet"
        hint="Choose Add a note below a lesson. Only you see your notes."
        action={
          <Button asChild look="primary">
            <Link to={`/course/${course.id}`}>Back to the course</Link>
          </Button>
        }
      />
    )
  const download = () => {
    const text = notesAsMarkdown(course.title, lessons.data, notes.data)
    save(new Blob([text], { type: 'text/markdown;charset=utf-8' }), fileName(course.title))
  }
  return (
    <div className="discuss-page">
      <div className="discuss-bar" tabIndex={-1}>
        <Button onClick={download}>
          <Icon name="download" />
          Download
        </Button>
        <Link to={`/course/${course.id}`}>Back to the course</Link>
      </div>
      {groups.map(({ id, title, notes }) => (
        <section key={id} className="discuss-group" aria-labelledby={`notes-${id}`}>
          <h2 id={`notes-${id}`}>
            <Link to={`/learn/${course.id}/${id}`}>{title}</Link>
          </h2>
          <ul className="discuss-list">
            {notes.map((note) => (
              <NoteRow key={note.id} note={note} to={`/learn/${course.id}/${id}?t=${note.at_seconds}`} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
