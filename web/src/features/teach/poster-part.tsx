import { useMutation } from '@tanstack/react-query'
import { call } from '@/lib/functions'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast'
import { refusalOr } from './api'
import { FileButton } from './file-button'
import { frameOf, pictures, sendPicture } from './poster-api'

type PosterPartProps = {
  course: string
  lesson: string
  /** The address of what is shown now. */
  poster: string
  /** Somebody chose it. */
  isOwn: boolean
  mayEdit: boolean
  /** The video as it stands on this screen. */
  film: () => HTMLVideoElement | null
  onChange: () => Promise<unknown>
}

/** What a video shows before it plays: a frame of its own, or what its teacher chose. */
export function PosterPart({ course, lesson, poster, isOwn, mayEdit, film, onChange }: PosterPartProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: async (picture: Blob | null) => {
      const path = picture && (await sendPicture(course, lesson, picture))
      await call('set-lesson-poster', { lesson, path })
      await onChange()
      return path
    },
    onSuccess: (path) => toast.success(path ? 'Poster saved' : 'Poster removed'),
    onError: (error) => toast.error(refusalOr(error, 'Failed to save the poster. Please try again.')),
  })
  const takeFrame = async () => {
    const shown = film()
    // Before it has moved it shows its first frame, which mostly is black.
    const frame = shown && shown.currentTime > 0 && (await frameOf(shown))
    if (frame) mutate(frame)
    else toast.error('Play the video to the moment you want first.')
  }
  return (
    <section aria-label="Poster" className="flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-hairline pt-5">
      {poster ? (
        <img
          src={poster}
          alt={isOwn ? 'The poster that you chose' : 'The poster, a frame of the video'}
          className="aspect-video w-40 rounded-control bg-black object-cover"
        />
      ) : (
        <div aria-hidden="true" className="aspect-video w-40 rounded-control bg-surface-2" />
      )}
      <div className="grid min-w-0 flex-1 basis-72 gap-2">
        <div>
          <h3 className="font-medium">Poster</h3>
          <p className="text-meta text-muted">
            {isOwn
              ? 'Shown before the video plays, and where a preview is shared.'
              : 'A frame of the video, chosen automatically. Shown before it plays, and where a preview is shared.'}
          </p>
        </div>
        {mayEdit && (
          <div className="flex flex-wrap gap-2" aria-busy={isPending}>
            <Button size="small" aria-disabled={isPending} onClick={() => !isPending && void takeFrame()}>
              Use this frame
            </Button>
            <FileButton label="Picture for the poster" accept={pictures} onFile={(file) => !isPending && mutate(file)}>
              {isPending ? 'Saving...' : 'Upload a picture'}
            </FileButton>
            {isOwn && (
              <Button
                look="ghost"
                size="small"
                className="hover:text-danger"
                aria-disabled={isPending}
                onClick={() => !isPending && mutate(null)}
              >
                Remove poster
              </Button>
            )}
          </div>
        )}
      </div>
    </section>
  )
}
