import { useState } from 'react'
import { call } from '@/lib/functions'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { FileButton } from './file-button'
import { type LessonFile, useLessonCall } from './lesson-api'
import { Mark, Part } from './parts'
import { keptUpload, type Place, startUpload, useUpload } from './upload'
import { bytes, Interrupted, UploadView } from './upload-view'

const taken = 'image/*,audio/*,application/pdf,text/plain,.md,.srt,.vtt'

type FilesPanelProps = { place: Place; files: LessonFile[]; mayEdit: boolean; onChange: () => void }

/** Files that come with a lesson, for learners to take along. */
export function FilesPanel({ place, files, mayEdit, onChange }: FilesPanelProps) {
  const lesson = place.owner
  const progress = useUpload(place)
  const [, look] = useState(0)
  const remove = useLessonCall(
    lesson,
    'remove-lesson-file',
    'Failed to remove the file. Please try again.',
    'File removed',
  )
  const choose = (file: File) =>
    startUpload(place, file, (path, name) => call('add-lesson-file', { lesson, path, name }).then(onChange))
  const kept = progress ? null : keptUpload(place)
  return (
    <Part
      title="Files"
      lead="Scripts, worksheets, recordings: learners find them beside the lesson."
      action={
        mayEdit &&
        !progress && (
          <FileButton label="File for this lesson" accept={taken} onFile={choose}>
            Add a file
          </FileButton>
        )
      }
    >
      <div className="grid gap-4">
        {progress && <UploadView place={place} progress={progress} />}
        {kept && mayEdit && (
          <Interrupted place={place} accept={taken} onFile={choose} onForget={() => look((n) => n + 1)} />
        )}
        {files.length === 0 ? (
          <p className="text-muted">No files yet.</p>
        ) : (
          <ul aria-label="Files" className="divide-y divide-hairline">
            {files.map((file) => (
              <li key={file.id} className="flex min-h-12 items-center gap-3 py-1">
                <Mark name="clip" className="text-faint" />
                <span className="min-w-0 wrap-anywhere">
                  <bdi>{file.name}</bdi>
                </span>
                <span className="shrink-0 text-meta text-faint tabular-nums">{bytes(file.size)}</span>
                {mayEdit && (
                  <span className="ml-auto">
                    <Confirm
                      question={`Remove “${file.name}”?`}
                      action="Remove"
                      onConfirm={() => remove.mutate({ file: file.id })}
                      trigger={
                        <Button
                          look="ghost"
                          size="small"
                          aria-label={`Remove ${file.name}`}
                          className="hover:text-danger"
                        >
                          Remove
                        </Button>
                      }
                    />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Part>
  )
}
