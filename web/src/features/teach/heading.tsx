import { useRef, useState } from 'react'
import { Head } from '@/lib/head'
import { Button } from '@/ui/button'
import { IconButton } from '@/ui/icon-button'
import { Link } from '@/ui/link'
import { useChangeLesson } from './curriculum-api'
import type { Workpiece } from './lesson-api'
import { Badge, Mark } from './parts'
import { Rename } from './rename'

type HeadingProps = {
  course: string
  lesson: Workpiece['lesson']
  mayEdit: boolean
  /** Learners have something else. */
  isChanged: boolean
  isPending: boolean
  onPublish: () => void
}

/** What a lesson is called, whether it is out, and the ways to that. */
export function Heading({ course, lesson, mayEdit, isChanged, isPending, onPublish }: HeadingProps) {
  const isOut = lesson.state === 'published'
  const isOff = isPending || (isOut && !isChanged)
  return (
    <>
      <Head title={lesson.title} robots="noindex" />
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 pb-2">
            <Badge tone={isOut ? 'success' : 'quiet'}>{isOut ? 'Published' : 'Draft'}</Badge>
            {isChanged && <Badge tone="gold">Unpublished changes</Badge>}
          </p>
          <Title course={course} lesson={lesson} mayEdit={mayEdit} />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button asChild>
            <Link to={`/learn/${course}/${lesson.id}?preview=1`}>Preview as learner</Link>
          </Button>
          {mayEdit && (
            <Button
              look="accent"
              aria-disabled={isOff}
              className="aria-disabled:opacity-60"
              onClick={() => !isOff && onPublish()}
            >
              {isPending ? 'Publishing...' : isChanged ? 'Publish changes' : 'Publish'}
            </Button>
          )}
        </div>
      </div>
    </>
  )
}

function Title({ course, lesson, mayEdit }: { course: string; lesson: Workpiece['lesson']; mayEdit: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [title, setTitle] = useState(lesson.title)
  const pen = useRef<HTMLButtonElement>(null)
  const change = useChangeLesson(course)
  if (isOpen)
    return (
      <Rename
        label="Title of the lesson"
        value={title}
        most={150}
        onDone={(next) => {
          setOpen(false)
          setTimeout(() => pen.current?.focus())
          if (!next) return
          setTitle(next)
          change.mutate({ id: lesson.id, title: next }, { onError: () => setTitle(title) })
        }}
      />
    )
  return (
    <div className="flex items-center gap-2">
      <h1 className="min-w-0 font-serif text-[2.25rem] leading-tight tracking-tight wrap-anywhere">
        <bdi>{title}</bdi>
      </h1>
      {mayEdit && (
        <IconButton ref={pen} label="Rename the lesson" className="text-muted" onClick={() => setOpen(true)}>
          <Mark name="pen" />
        </IconButton>
      )}
    </div>
  )
}
