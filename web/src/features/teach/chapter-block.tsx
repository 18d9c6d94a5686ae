import { clsx } from 'clsx'
import { Fragment, useState } from 'react'
import { Confirm } from '@/ui/confirm'
import { toast } from '@/ui/toast'
import { AddLine } from './add-line'
import { plural } from './api'
import type { Drag } from './drag'
import { Grip, type LessonActions, LessonRow, Movers } from './lesson-row'
import type { Chapter, Lesson } from './outline'
import { Rename } from './rename'
import { RowMenu } from './row-menu'

type ChapterBlockProps = {
  course: string
  chapter: Chapter
  index: number
  count: number
  mayEdit: boolean
  drag: Drag
  actionsOf: (lesson: Lesson) => LessonActions
  onRename: (title: string) => void
  onMove: (step: -1 | 1) => void
  onDelete: () => void
  onAdd: (title: string, kind: Lesson['kind']) => Promise<unknown>
}

/** Where what is held would come to stand. */
const Landing = () => <span aria-hidden="true" className="block h-0.5 rounded-full bg-accent" />

/** A section with its lessons. */
export function ChapterBlock(props: ChapterBlockProps) {
  const { course, chapter, index, count, mayEdit, drag, actionsOf, onRename, onMove, onDelete, onAdd } = props
  const [open, setOpen] = useState<'' | 'rename' | 'delete'>('')
  const { id, title, lessons } = chapter
  const menuId = `more-${id}`
  const close = () => {
    setOpen('')
    setTimeout(() => document.getElementById(menuId)?.focus())
  }
  const { held, target } = drag
  const landsHere = (at: number) => held?.kind === 'lesson' && target?.chapter === index && target.index === at
  return (
    <>
      {held?.kind === 'section' && target?.chapter === index && <Landing />}
      <section
        data-section={id}
        aria-label={title}
        className={clsx(
          'rounded-card border border-hairline bg-surface-1',
          held?.kind === 'section' && held.id === id && 'opacity-40',
        )}
      >
        <div className="flex items-center gap-x-2 border-b border-hairline py-1.5 pr-1 pl-4 sm:pl-2">
          {mayEdit && <Grip {...drag.handle({ kind: 'section', id })} />}
          {open === 'rename' ? (
            <Rename
              label={`Title of section ${title}`}
              value={title}
              most={120}
              onDone={(next) => {
                if (next) onRename(next)
                close()
              }}
            />
          ) : (
            <div className={clsx('flex min-w-0 flex-wrap items-baseline gap-x-3', !mayEdit && 'py-2.5 sm:pl-2')}>
              <h2 className="text-[1.0625rem] leading-snug font-semibold wrap-anywhere">
                <bdi>{title}</bdi>
              </h2>
              <p className="text-meta text-faint">{plural(lessons.length, 'lesson')}</p>
            </div>
          )}
          <span className="ml-auto flex shrink-0 items-center">
            {lessons.length > 0 && (
              <span aria-hidden="true" className="flex text-center text-kicker text-faint max-sm:hidden">
                <span className="w-22">Preview</span>
                <span className="w-22">Published</span>
                {!mayEdit && <span className="w-1" />}
              </span>
            )}
            {mayEdit && (
              <>
                <Movers
                  id={id}
                  title={`section ${title}`}
                  ends={{ isFirst: index === 0, isLast: index === count - 1 }}
                  onMove={onMove}
                />
                <RowMenu
                  id={menuId}
                  label={`More for section ${title}`}
                  choices={[
                    { label: 'Rename', onSelect: () => setOpen('rename') },
                    {
                      label: 'Delete',
                      isGrave: true,
                      onSelect: () =>
                        lessons.length > 0 ? toast.error('Move or delete its lessons first.') : setOpen('delete'),
                    },
                  ]}
                />
              </>
            )}
          </span>
        </div>
        {lessons.length > 0 && (
          <ol aria-label={`Lessons of ${title}`} className="divide-y divide-hairline">
            {lessons.map((lesson, at) => (
              <Fragment key={lesson.id}>
                {landsHere(at) && (
                  <li aria-hidden="true">
                    <Landing />
                  </li>
                )}
                <LessonRow
                  course={course}
                  lesson={lesson}
                  mayEdit={mayEdit}
                  ends={{
                    isFirst: index === 0 && at === 0,
                    isLast: index === count - 1 && at === lessons.length - 1,
                  }}
                  isHeld={held?.id === lesson.id}
                  handle={drag.handle}
                  actions={actionsOf(lesson)}
                />
              </Fragment>
            ))}
          </ol>
        )}
        {landsHere(lessons.length) && <Landing />}
        {mayEdit && (
          <div className={clsx('p-2 max-sm:pl-1 sm:pl-6', lessons.length > 0 && 'border-t border-hairline')}>
            <AddLine
              noun="lesson"
              where={title}
              most={150}
              isFirst={count === 1 && lessons.length === 0}
              onAdd={onAdd}
            />
          </div>
        )}
      </section>
      {held?.kind === 'section' && target?.chapter === count && index === count - 1 && <Landing />}
      <Confirm
        open={open === 'delete'}
        onClose={close}
        question={`Delete the section “${title}”?`}
        action="Delete Section"
        onConfirm={onDelete}
      />
    </>
  )
}
