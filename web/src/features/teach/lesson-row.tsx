import { clsx } from 'clsx'
import { useState } from 'react'
import { Confirm } from '@/ui/confirm'
import { IconButton } from '@/ui/icon-button'
import { Link } from '@/ui/link'
import { clock } from './api'
import type { Held } from './drag'
import type { Lesson } from './outline'
import { Badge, Mark, Switch } from './parts'
import { opensWords, ReleaseDialog } from './release'
import { Rename } from './rename'
import { RowMenu } from './row-menu'

export type LessonActions = {
  rename: (title: string) => void
  move: (step: -1 | 1) => void
  preview: (isOn: boolean) => void
  publish: (isOn: boolean) => void
  release: (change: Pick<Lesson, 'release_days' | 'release_at'>) => void
  remove: () => void
}

type LessonRowProps = {
  course: string
  lesson: Lesson
  mayEdit: boolean
  ends: { isFirst: boolean; isLast: boolean }
  isHeld: boolean
  handle: (held: Held) => object
  actions: LessonActions
}

const kinds = { text: ['text', 'Text'], video: ['film', 'Video'], quiz: ['quiz', 'Quiz'] } as const

/** A lesson in the list: its name, whether it is out and free to see, and where it stands. */
export function LessonRow({ course, lesson, mayEdit, ends, isHeld, handle, actions }: LessonRowProps) {
  const [open, setOpen] = useState<'' | 'rename' | 'release' | 'delete'>('')
  const { id, title } = lesson
  const menuId = `more-${id}`
  const close = () => {
    setOpen('')
    setTimeout(() => document.getElementById(menuId)?.focus())
  }
  const opens = opensWords(lesson)
  return (
    <li
      data-lesson={id}
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 py-2 pr-1 pl-4 sm:grid-cols-[auto_minmax(0,1fr)_auto_auto] sm:gap-x-0 sm:py-1 sm:pl-2',
        isHeld && 'opacity-40',
      )}
    >
      {mayEdit ? <Grip {...handle({ kind: 'lesson', id })} /> : <span className="w-2 max-sm:hidden" />}
      <div className="flex min-w-0 items-center gap-3 sm:pr-2 sm:pl-2">
        <Mark name={kinds[lesson.kind][0]} className="text-faint" />
        <span className="sr-only">{`${kinds[lesson.kind][1]}:`}</span>
        {open === 'rename' ? (
          <Rename
            label={`Title of ${title}`}
            value={title}
            most={150}
            onDone={(next) => {
              if (next) actions.rename(next)
              close()
            }}
          />
        ) : (
          <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              to={`/teach/${course}?lesson=${id}`}
              className="min-w-0 py-2 leading-snug font-medium wrap-anywhere hover:underline hover:underline-offset-4"
            >
              <bdi>{title}</bdi>
            </Link>
            {opens && <Badge tone="gold">{opens}</Badge>}
            {lesson.kind === 'quiz' && <span className="text-meta text-faint">Quiz</span>}
            {lesson.seconds > 0 && <span className="text-meta text-faint tabular-nums">{clock(lesson.seconds)}</span>}
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-center max-sm:col-span-full max-sm:-ml-2 max-sm:justify-between">
        <span className="flex items-center">
          <Toggle name="Preview" title={title} isOn={lesson.preview} off={!mayEdit} onChange={actions.preview} />
          <Toggle
            name="Published"
            title={title}
            isOn={lesson.state === 'published'}
            off={!mayEdit}
            onChange={actions.publish}
          />
        </span>
        {mayEdit && (
          <span className="flex items-center">
            <Movers id={id} title={title} ends={ends} onMove={actions.move} />
          </span>
        )}
      </div>
      {mayEdit && (
        <span className="max-sm:col-start-2 max-sm:row-start-1">
          <RowMenu
            id={menuId}
            label={`More for ${title}`}
            choices={[
              { label: 'Rename', onSelect: () => setOpen('rename') },
              { label: 'When it opens', onSelect: () => setOpen('release') },
              { label: 'Delete', isGrave: true, onSelect: () => setOpen('delete') },
            ]}
          />
        </span>
      )}
      {open === 'release' && <ReleaseDialog lesson={lesson} onClose={close} onSave={actions.release} />}
      <Confirm
        open={open === 'delete'}
        onClose={close}
        question={`Delete “${title}”?`}
        detail="Its text, video, captions, questions and files go with it, and everyone’s progress in it. This cannot be undone."
        action="Delete Lesson"
        onConfirm={actions.remove}
      />
    </li>
  )
}

type ToggleProps = { name: string; title: string; isOn: boolean; off: boolean; onChange: (isOn: boolean) => void }

function Toggle({ name, title, isOn, off, onChange }: ToggleProps) {
  return (
    <span className="flex items-center sm:w-22 sm:justify-center">
      <Switch label={`${name}: ${title}`} isOn={isOn} disabled={off} onChange={onChange} />
      <span aria-hidden="true" className="pr-2 text-meta text-muted sm:hidden">
        {name}
      </span>
    </span>
  )
}

/** What a pointer drags by; keys have the buttons beside it. */
export function Grip(handle: object) {
  return (
    <span
      aria-hidden="true"
      {...handle}
      className="flex h-11 w-7 cursor-grab touch-none items-center justify-center text-faint hover:text-foreground active:cursor-grabbing max-sm:hidden"
    >
      <Mark name="grip" />
    </span>
  )
}

type MoversProps = {
  id: string
  title: string
  ends: { isFirst: boolean; isLast: boolean }
  onMove: (step: -1 | 1) => void
}

/** Both stay in the order of the keys at the ends too: disabled, one would lose the focus of whoever pressed it. */
export function Movers({ id, title, ends, onMove }: MoversProps) {
  const mover = (step: -1 | 1, name: 'up' | 'down', isOff: boolean) => (
    <IconButton
      label={`Move ${title} ${name}`}
      data-mover={`${id}:${step}`}
      aria-disabled={isOff || undefined}
      onClick={() => !isOff && onMove(step)}
      className="text-muted aria-disabled:cursor-default aria-disabled:opacity-35"
    >
      <Mark name={name} />
    </IconButton>
  )
  return (
    <>
      {mover(-1, 'up', ends.isFirst)}
      {mover(1, 'down', ends.isLast)}
    </>
  )
}
