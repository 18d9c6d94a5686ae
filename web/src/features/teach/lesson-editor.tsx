import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { BackendError } from '@/lib/backend'
import { useReaderId } from '@/lib/session'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { toast } from '@/ui/toast'
import { useUnsaved } from '@/ui/unsaved'
import { type StudioCourse, useTeachKey } from './api'
import { Back } from './back'
import { CaptionsPanel } from './captions-panel'
import { usePublish } from './curriculum-api'
import { FilesPanel } from './files-panel'
import { Heading } from './heading'
import { readWorkpiece, useLessonCall, useWorkpiece, type Workpiece } from './lesson-api'
import { PosterPart } from './poster-part'
import { type QuizSlot, QuizWork } from './quiz-work'
import { TextPanel } from './text-panel'
import { useAutosave } from './use-autosave'
import { VideoPanel } from './video-panel'
import { WatchedPart } from './watched-part'

type LessonEditorProps = { course: StudioCourse; lesson: string; mayEdit: boolean; quiz: QuizSlot }

/** A lesson in the making. */
export function LessonEditor({ course, lesson, mayEdit, quiz }: LessonEditorProps) {
  const { data, isLoadingError, error, refetch } = useWorkpiece(lesson)
  const back = <Back to={`/teach/${course.id}`}>Curriculum</Back>
  if (isLoadingError && error instanceof BackendError && error.status < 500 && error.status > 0)
    return (
      <>
        {back}
        <EmptyState title="There is no such lesson" hint="It may have been deleted, or the link is mistyped." />
      </>
    )
  if (isLoadingError)
    return (
      <>
        {back}
        <ErrorState
          title="The lesson could not be loaded"
          hint="The rest of the studio still works."
          onRetry={() => void refetch()}
        />
      </>
    )
  if (!data)
    return (
      <>
        {back}
        <Skeleton className="mb-6 h-11 w-80" />
        <Skeleton className="h-96 rounded-card" />
      </>
    )
  return (
    <>
      {back}
      {data.lesson.kind === 'quiz' ? (
        <QuizWork key={data.lesson.id} course={course.id} lesson={data.lesson} mayEdit={mayEdit} quiz={quiz} />
      ) : (
        <Opened key={data.lesson.id} course={course} piece={data} mayEdit={mayEdit} />
      )}
    </>
  )
}

type OpenedProps = { course: StudioCourse; piece: Workpiece; mayEdit: boolean }

function Opened({ course, piece, mayEdit }: OpenedProps) {
  const { lesson } = piece
  const user = useReaderId()
  const client = useQueryClient()
  const key = useTeachKey()
  const { save, state, text } = useAutosave(piece)
  const [hasCaptions, setHasCaptions] = useState(false)
  const [, question] = useUnsaved(
    state !== 'saved' || hasCaptions,
    {
      question: 'Leave this lesson?',
      detail: hasCaptions
        ? 'The captions have not been saved.'
        : 'Your text has not reached the server. It is kept in this tab, and waits here when you come back.',
      keep: 'Stay',
      action: 'Leave',
    },
    async () => (await save.flush()) && !hasCaptions,
  )
  const publish = usePublish(course.id)
  const setVideo = useLessonCall(lesson.id, 'set-lesson-video', 'Failed to save the video. Please try again.')
  const retry = useLessonCall(lesson.id, 'retry-lesson-video', 'Failed to start again. Please try again.')
  const cancel = useLessonCall(lesson.id, 'cancel-lesson-video', 'Failed to cancel. Please try again.')
  const isOut = lesson.state === 'published'
  const isChanged = isOut && text !== piece.body
  const onPublish = async () => {
    if (!(await save.flush())) return toast.error('Your text is not saved yet. Publish it when it is.')
    publish.mutate({ id: lesson.id, isOn: true })
  }
  const lookAgain = () => client.invalidateQueries({ queryKey: [...key, 'lesson', lesson.id] })
  const place = { user, course: course.id, owner: lesson.id }
  const isVideo = lesson.kind === 'video'
  return (
    <>
      {question}
      <Heading
        course={course.id}
        lesson={lesson}
        mayEdit={mayEdit}
        isChanged={isChanged}
        isPending={publish.isPending}
        onPublish={() => void onPublish()}
      />
      <div className="grid gap-5">
        {isVideo && (
          <VideoPanel
            title="Video"
            lead="Every common format works. It is prepared for phones and large screens automatically."
            place={{ ...place, kind: 'video' }}
            mayEdit={mayEdit}
            video={piece.video}
            play={piece.play}
            renew={async () => (await readWorkpiece(lesson.id)).play}
            onSet={(path) => setVideo.mutateAsync({ lesson: lesson.id, path })}
            onRetry={() => retry.mutate({ lesson: lesson.id })}
            onCancel={() => cancel.mutate({ lesson: lesson.id })}
            below={(film) => (
              <PosterPart
                course={course.id}
                lesson={lesson.id}
                poster={piece.play?.poster ?? ''}
                isOwn={piece.own_poster}
                mayEdit={mayEdit}
                film={film}
                onChange={lookAgain}
              />
            )}
          />
        )}
        <TextPanel
          label={isVideo ? 'Text below the video' : 'Text'}
          save={save}
          state={state}
          text={text}
          mayEdit={mayEdit}
        />
        {isVideo && piece.video && (
          <CaptionsPanel lesson={lesson.id} captions={piece.captions} mayEdit={mayEdit} onDirty={setHasCaptions} />
        )}
        {isVideo && isOut && <WatchedPart lesson={lesson.id} />}
        <FilesPanel
          place={{ ...place, kind: 'file' }}
          files={piece.files}
          mayEdit={mayEdit}
          onChange={() => void lookAgain()}
        />
      </div>
    </>
  )
}
