import { Button } from '@/ui/button'
import { FileButton } from './file-button'
import { Bar } from './parts'
import { cancelUpload, keptUpload, type Place, type Progress, pauseUpload, resumeUpload } from './upload'

const units = ['bytes', 'kB', 'MB', 'GB'] as const

/** A number of bytes as people say it. */
export function bytes(count: number): string {
  let unit = 0
  let rest = count
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000
    unit += 1
  }
  return `${unit === 0 || rest >= 100 ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`
}

const percentOf = ({ sent, size }: { sent: number; size: number }) => (size > 0 ? Math.floor((sent / size) * 100) : 0)

const words: Record<Progress['at'], string> = {
  sending: 'Uploading',
  paused: 'Paused',
  offline: 'Waiting for the network. The upload goes on where it stopped.',
  failed: '',
  finishing: 'Uploaded. One moment…',
}

/** An upload that is under way: how far it is, and how to pause or end it. */
export function UploadView({ place, progress }: { place: Place; progress: Progress }) {
  const percent = percentOf(progress)
  const { at } = progress
  return (
    <div className="grid gap-3 rounded-control border border-hairline bg-surface-2 p-4">
      <p className="min-w-0 font-medium wrap-anywhere">
        <bdi>{progress.name}</bdi>
      </p>
      <div className="flex items-center gap-3">
        <Bar label={`Upload of ${progress.name}`} percent={percent} />
        <span className="text-meta text-muted tabular-nums">{`${percent}% of ${bytes(progress.size)}`}</span>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p
          role={at === 'failed' ? 'alert' : 'status'}
          className={at === 'failed' ? 'text-danger' : 'text-meta text-muted'}
        >
          {at === 'failed' ? progress.why : words[at]}
        </p>
        <span className="flex gap-2">
          {at === 'sending' && (
            <Button size="small" onClick={() => pauseUpload(place)}>
              Pause
            </Button>
          )}
          {(at === 'paused' || at === 'failed') && (
            <Button size="small" look="primary" onClick={() => resumeUpload(place)}>
              {at === 'paused' ? 'Resume' : 'Try again'}
            </Button>
          )}
          {at !== 'finishing' && (
            <Button size="small" look="ghost" onClick={() => cancelUpload(place)}>
              Cancel upload
            </Button>
          )}
        </span>
      </div>
    </div>
  )
}

type InterruptedProps = { place: Place; accept: string; onFile: (file: File) => void; onForget: () => void }

/** An upload that a reload interrupted: the same file goes on where it stopped. */
export function Interrupted({ place, accept, onFile, onForget }: InterruptedProps) {
  const kept = keptUpload(place)
  if (!kept) return null
  return (
    <div className="grid gap-3 rounded-control border border-gold/40 bg-gold/10 p-4">
      <div>
        <p className="font-medium wrap-anywhere">
          The upload of “<bdi>{kept.name}</bdi>” stopped at {percentOf(kept)}%.
        </p>
        <p className="text-meta text-muted">Choose the same file, and it goes on from there.</p>
      </div>
      <span className="flex flex-wrap gap-2">
        <FileButton label="The same file" accept={accept} look="accent" onFile={onFile}>
          Choose the file
        </FileButton>
        <Button
          size="small"
          look="ghost"
          onClick={() => {
            cancelUpload(place)
            onForget()
          }}
        >
          Forget it
        </Button>
      </span>
    </div>
  )
}
