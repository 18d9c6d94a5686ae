import { useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { ErrorState } from '@/ui/error-state'
import { Link } from '@/ui/link'
import { clock } from '@/ui/player/clock'
import { Skeleton } from '@/ui/skeleton'
import { type Film, type Note, useNotes } from './api'
import { useAddNote, useChangeNote, useDelete } from './changes'
import { useKept } from './kept'
import { Moment, Words, Write } from './parts'

/** A note in the making at a moment, perhaps one that an earlier visit left unsaved. */
export type Writing = { at: number | null; isKept: boolean }

type NotesProps = {
  course: string
  lesson: string
  film: Film | null
  writing: Writing | null
  onWrite: () => void
  onDone: () => void
}

/** The reader's own notes of a lesson; nobody else sees them. */
export function Notes({ course, lesson, film, writing, onWrite, onDone }: NotesProps) {
  const notes = useNotes(course, lesson)
  return (
    <>
      <div className="discuss-bar" tabIndex={-1}>
        {!writing && (
          <Button size="small" onClick={onWrite}>
            Add a note <kbd className="discuss-key">B</kbd>
          </Button>
        )}
        {(notes.data?.length ?? 0) > 0 && <Link to={`/learn/${course}/notes`}>All notes of this course</Link>}
      </div>
      {writing && <NewNote key={lesson} {...{ course, lesson, onDone, ...writing }} />}
      {notes.isLoadingError ? (
        <ErrorState
          title="Your notes could not be loaded"
          hint="The lesson still works."
          onRetry={() => void notes.refetch()}
        />
      ) : notes.isPending ? (
        <Skeleton className="discuss-waiting" />
      ) : notes.data.length === 0 ? (
        !writing && <p className="discuss-empty">Only you see your notes.{film && ' Each one remembers its moment.'}</p>
      ) : (
        <ul className="discuss-list">
          {notes.data.map((note) => (
            <NoteRow key={note.id} note={note} onJump={film?.seek} />
          ))}
        </ul>
      )}
    </>
  )
}

type NewNoteProps = Writing & { course: string; lesson: string; onDone: () => void }

function NewNote({ course, lesson, at, isKept, onDone }: NewNoteProps) {
  const kept = useKept(`note.${lesson}`, { at, text: '' })
  const add = useAddNote()
  const { text } = kept.words
  const moment = text === '' ? at : kept.words.at
  const done = () => {
    kept.forget()
    onDone()
  }
  return (
    <Write
      label={moment === null ? 'New note' : `New note at ${clock(moment)}`}
      action="Save note"
      isFocused={!isKept}
      value={text}
      onChange={(next) => kept.write({ at: moment, text: next })}
      isPending={add.isPending}
      onSave={() => add.mutate({ course_id: course, lesson_id: lesson, at_seconds: moment, text }, { onSuccess: done })}
      onCancel={done}
      onLeave={text.trim() === '' ? done : onDone}
    />
  )
}

type NoteRowProps = {
  note: Note
  onJump?: ((at: number) => void) | undefined
  /** The way to the note's moment, where its film is not on this page. */
  to?: string
}

export function NoteRow({ note, onJump, to }: NoteRowProps) {
  const [isEdited, setEdited] = useState(false)
  const remove = useDelete('note', note.id)
  const edit = useRef<HTMLButtonElement>(null)
  const wasEdited = useRef(false)
  useEffect(() => {
    if (wasEdited.current && !isEdited) edit.current?.focus()
    wasEdited.current = isEdited
  }, [isEdited])
  if (isEdited)
    return (
      <li>
        <EditNote note={note} onDone={() => setEdited(false)} />
      </li>
    )
  const about = note.at_seconds === null ? 'note' : `note at ${clock(note.at_seconds)}`
  return (
    <li className="discuss-note">
      {to && note.at_seconds !== null ? (
        <Link to={to} className="discuss-moment">
          {clock(note.at_seconds)}
        </Link>
      ) : (
        <Moment at={note.at_seconds} onJump={onJump} />
      )}
      <Words text={note.text} />
      <div className="discuss-tools">
        <Button ref={edit} look="ghost" size="small" aria-label={`Edit ${about}`} onClick={() => setEdited(true)}>
          Edit
        </Button>
        <Confirm
          trigger={
            <Button look="ghost" size="small" aria-label={`Delete ${about}`}>
              Delete
            </Button>
          }
          question="Delete this note?"
          detail="It cannot be brought back."
          action="Delete"
          onConfirm={() => remove.mutate()}
        />
      </div>
    </li>
  )
}

function EditNote({ note, onDone }: { note: Note; onDone: () => void }) {
  const kept = useKept(`note.${note.id}`, note.text)
  const change = useChangeNote(note.id)
  const done = () => {
    kept.forget()
    onDone()
  }
  return (
    <Write
      label="Edit note"
      action="Save note"
      isFocused
      value={kept.words}
      onChange={kept.write}
      isPending={change.isPending}
      onSave={() => change.mutate(kept.words, { onSuccess: done })}
      onCancel={done}
      onLeave={onDone}
    />
  )
}
