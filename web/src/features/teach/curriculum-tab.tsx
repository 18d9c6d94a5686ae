import { useLayoutEffect, useRef, useState } from 'react'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { toast } from '@/ui/toast'
import { AddLine } from './add-line'
import { ChapterBlock } from './chapter-block'
import {
  useAddLesson,
  useAddSection,
  useArrange,
  useChangeLesson,
  useDeleteLesson,
  useDeleteSection,
  useOutline,
  usePublish,
  useRenameSection,
} from './curriculum-api'
import { type Held, type Target, useDrag } from './drag'
import {
  type Lesson,
  lessonMoved,
  lessonPlaced,
  lessonsOf,
  type Outline,
  sectionMoved,
  sectionPlaced,
  whereLesson,
  whereSection,
} from './outline'

/** What a course teaches, and its order. */
export function CurriculumTab({ course, mayEdit }: { course: string; mayEdit: boolean }) {
  const { data: outline, isLoadingError, refetch } = useOutline(course)
  if (isLoadingError)
    return (
      <ErrorState
        title="The curriculum could not be loaded"
        hint="The other tabs still work."
        onRetry={() => void refetch()}
      />
    )
  if (!outline)
    return (
      <div className="grid gap-4">
        <Skeleton className="h-52 rounded-card" />
        <Skeleton className="h-36 rounded-card" />
      </div>
    )
  return <Editor course={course} outline={outline} mayEdit={mayEdit} />
}

/** Follows what was moved: its button keeps the focus, and its new place is said. */
function useFollow(outline: Outline) {
  const [said, setSaid] = useState('')
  const wanted = useRef('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the new order stands
  useLayoutEffect(() => {
    if (wanted.current === '') return
    document.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = ''
  }, [outline])
  const follow = (id: string, step: -1 | 1, where: string) => {
    wanted.current = `[data-mover="${id}:${step}"]`
    setSaid(where)
  }
  return { said, say: setSaid, follow }
}

function Editor({ course, outline, mayEdit }: { course: string; outline: Outline; mayEdit: boolean }) {
  const { arrange, settled } = useArrange(course)
  const addSection = useAddSection(course, settled)
  const addLesson = useAddLesson(course, settled)
  const renameSection = useRenameSection(course)
  const change = useChangeLesson(course)
  const publish = usePublish(course)
  const removeLesson = useDeleteLesson(course, settled)
  const removeSection = useDeleteSection(course, settled)
  const { said, say, follow } = useFollow(outline)
  const moveLesson = (id: string, step: -1 | 1) => {
    const next = lessonMoved(outline, id, step)
    if (!next) return
    follow(id, step, whereLesson(next, id))
    arrange(next)
  }
  const moveSection = (id: string, step: -1 | 1) => {
    const next = sectionMoved(outline, id, step)
    if (!next) return
    follow(id, step, whereSection(next, id))
    arrange(next)
  }
  const drag = useDrag((held: Held, target: Target) => {
    const next =
      held.kind === 'section'
        ? sectionPlaced(outline, held.id, target.chapter)
        : target.index !== undefined && lessonPlaced(outline, held.id, target)
    if (!next) return
    say(held.kind === 'section' ? whereSection(next, held.id) : whereLesson(next, held.id))
    arrange(next)
  })
  const actionsOf = ({ id }: Lesson) => ({
    rename: (title: string) => change.mutate({ id, title }),
    move: (step: -1 | 1) => moveLesson(id, step),
    preview: (preview: boolean) => change.mutate({ id, preview }),
    publish: (isOn: boolean) => publish.mutate({ id, isOn }),
    release: (release: Pick<Lesson, 'release_days' | 'release_at'>) =>
      change.mutate({ id, ...release }, { onSuccess: () => toast.success('Schedule saved') }),
    remove: () => removeLesson.mutate(id),
  })
  const isOut = lessonsOf(outline).some(({ state }) => state === 'published')
  return (
    <div ref={drag.list} className="grid gap-4">
      <p role="status" className="sr-only">
        {said}
      </p>
      {outline.length === 0 ? (
        <div className="py-6">
          <p className="font-serif text-3xl leading-tight">The stage is empty</p>
          <p className="mt-2 max-w-[52ch] text-muted">
            {mayEdit
              ? 'A section holds lessons that belong together. Begin with one, such as “Getting started”.'
              : 'This course has no lessons yet.'}
          </p>
        </div>
      ) : (
        !isOut && <p className="text-muted">Publish at least one lesson to open enrollment.</p>
      )}
      {outline.map((chapter, index) => (
        <ChapterBlock
          key={chapter.id}
          course={course}
          chapter={chapter}
          index={index}
          count={outline.length}
          mayEdit={mayEdit}
          drag={drag}
          actionsOf={actionsOf}
          onRename={(title) => renameSection.mutate({ id: chapter.id, title })}
          onMove={(step) => moveSection(chapter.id, step)}
          onDelete={() => removeSection.mutate(chapter.id)}
          onAdd={(title, kind) => addLesson.mutateAsync({ section: chapter.id, title, kind })}
        />
      ))}
      {mayEdit && (
        <div>
          <AddLine
            noun="section"
            most={120}
            isFirst={outline.length === 0}
            onAdd={(title) => addSection.mutateAsync(title)}
          />
        </div>
      )}
    </div>
  )
}
