import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import type { Play } from '@/ui/player/types'
import { isUnderWay, type Preparing } from './api'
import { FileButton } from './file-button'
import { Bar, Part } from './parts'
import { keptUpload, type Place, startUpload, useUpload } from './upload'
import { Interrupted, UploadView } from './upload-view'

export const films = 'video/*,.mkv,.mov,.m4v'

type VideoPanelProps = {
  title: string
  lead: string
  place: Place
  mayEdit: boolean
  video: Preparing | null
  play: Play | null
  /** Asks for new addresses of the video. */
  renew: () => Promise<Play | null>
  /** Makes an upload the video, or takes the video away. */
  onSet: (path: string | null) => Promise<unknown>
  onRetry?: () => void
  onCancel?: () => void
  /** What stands below the video, once it can be watched; it is given the element. */
  below?: (film: () => HTMLVideoElement | null) => ReactNode
}

/** A video from its file to being watched. */
export function VideoPanel(props: VideoPanelProps) {
  const { title, lead, place, mayEdit, video, play, renew, onSet, below } = props
  const progress = useUpload(place)
  const [, look] = useState(0)
  const frame = useRef<HTMLDivElement>(null)
  const choose = (file: File) => startUpload(place, file, (path) => onSet(path))
  const kept = progress ? null : keptUpload(place)
  const isPlayable = video?.state === 'playable' || video?.state === 'ready'
  return (
    <Part title={title} lead={lead}>
      <div ref={frame} className="grid gap-4">
        {progress && <UploadView place={place} progress={progress} />}
        {kept && mayEdit && (
          <Interrupted place={place} accept={films} onFile={choose} onForget={() => look((n) => n + 1)} />
        )}
        {video && <State {...props} video={video} />}
        {play && isPlayable && <Watch play={play} title={title} renew={renew} />}
        {!video &&
          !progress &&
          !kept &&
          (mayEdit ? <Drop onFile={choose} /> : <p className="text-muted">No video yet.</p>)}
        {video && mayEdit && !progress && (
          <div className="flex flex-wrap gap-2">
            <FileButton label={`Another file for the ${title.toLowerCase()}`} accept={films} onFile={choose}>
              Replace
            </FileButton>
            <Confirm
              question={`Remove this ${title.toLowerCase()}?`}
              detail="The uploaded file and what was made of it are deleted. Captions go with it."
              action="Remove"
              onConfirm={() => void onSet(null)}
              trigger={
                <Button look="ghost" size="small" className="hover:text-danger">
                  Remove
                </Button>
              }
            />
          </div>
        )}
        {play && isPlayable && below?.(() => frame.current?.querySelector('video') ?? null)}
      </div>
    </Part>
  )
}

/** Where a film may be dropped, or chosen. */
function Drop({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file) onFile(file)
      }}
      className={`grid justify-items-start gap-3 rounded-control border border-dashed p-5 sm:p-7 ${isOver ? 'border-accent bg-accent/10' : 'border-control'}`}
    >
      <FileButton label="Video file" accept={films} look="accent" size="medium" onFile={onFile}>
        Upload a video
      </FileButton>
      <p className="text-meta text-muted">
        Or drop a file here. MP4, MOV, MKV or WebM, up to 20 GB. If the connection breaks, it goes on where it stopped.
      </p>
    </div>
  )
}

function State({ video, mayEdit, onRetry, onCancel }: VideoPanelProps & { video: Preparing }) {
  if (isUnderWay(video))
    return (
      <div className="grid gap-2">
        <div className="flex items-center gap-3">
          <Bar label="Preparation of the video" percent={video.progress} />
          <span className="text-meta text-muted tabular-nums">{`${video.progress}%`}</span>
          {mayEdit && onCancel && (
            <Button look="ghost" size="small" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </div>
        <p role="status" className="text-meta text-muted">
          {video.missing ||
            (video.job === 'queued'
              ? waitingWords(video)
              : 'Preparing the video for every screen. You can leave this page.')}
        </p>
      </div>
    )
  const problem = video.problem || video.error
  if (video.job === 'cancelled' || problem)
    return (
      <div
        role={problem ? 'alert' : 'status'}
        className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-hairline bg-surface-2 px-4 py-3"
      >
        <p className={problem ? 'min-w-0 text-danger' : 'min-w-0'}>{problem || 'The preparation was cancelled.'}</p>
        {mayEdit && onRetry && (
          <Button size="small" onClick={onRetry}>
            Retry
          </Button>
        )}
      </div>
    )
  return null
}

const waitingWords = ({ error }: Preparing) =>
  error ? `${error} We’ll try again automatically.` : 'Waiting to be prepared. You can leave this page.'

/** A file is known by its name; the grant before it changes all the time. */
const nameOf = (address: string) => address.slice(address.lastIndexOf('/'))

const Player = lazy(() => import('@/ui/player/player').then((module) => ({ default: module.Player })))

function Watch({ play, title, renew }: { play: Play; title: string; renew: VideoPanelProps['renew'] }) {
  return (
    <div className="aspect-video max-w-3xl overflow-hidden rounded-control bg-black">
      <Suspense>
        <Player
          key={`${play.video} ${play.hls !== ''} ${nameOf(play.poster)}`}
          play={play}
          title={title}
          artist=""
          renew={renew}
        />
      </Suspense>
    </div>
  )
}
