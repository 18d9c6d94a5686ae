import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '@/ui/button'
import { faultOf, readable, uploadPicture } from './upload'

type PictureFieldProps = {
  /** The field for an address, which stays beside it. */
  children: ReactNode
  /** The address that stands in it. */
  value: string
  /** How far it is, which the form knows too: what was refused stands at its field. */
  state: PictureState
  onState: (state: PictureState) => void
  /** Hears of the address that an uploaded picture has. */
  onUploaded: (address: string) => void
}

const bar =
  'h-1.5 min-w-0 flex-1 appearance-none overflow-hidden rounded-full border-0 bg-surface-3 [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-surface-3 [&::-webkit-progress-value]:bg-accent'

export type PictureState =
  | { at: 'idle' }
  | { at: 'done'; address: string }
  | { at: 'sending'; part: number }
  | { at: 'failed'; why: string }

/** A picture by its address, or one that is brought along. */
export function PictureField({ children, value, state, onState: setState, onUploaded }: PictureFieldProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const send = async (file: File) => {
    const fault = faultOf(file)
    if (fault) return setState({ at: 'failed', why: fault })
    running.current?.abort()
    const mine = new AbortController()
    running.current = mine
    setState({ at: 'sending', part: 0 })
    try {
      const address = await uploadPicture(file, mine.signal, (part) => {
        if (!mine.signal.aborted) setState({ at: 'sending', part })
      })
      if (mine.signal.aborted) return
      onUploaded(address)
      setState({ at: 'done', address })
    } catch (error) {
      if (mine.signal.aborted) return
      setState({ at: 'failed', why: error instanceof Error ? error.message : '' })
    }
  }
  const cancel = () => {
    running.current?.abort()
    setState({ at: 'idle' })
    button.current?.focus()
  }

  const isDone = state.at === 'done' && state.address === value
  return (
    <>
      <div className="flex gap-2">
        {children}
        <input
          ref={chooser}
          type="file"
          accept={readable}
          hidden
          onChange={({ target }) => {
            const file = target.files?.[0]
            target.value = '' // so that the same file can be chosen again
            if (file) void send(file)
          }}
        />
        <Button
          ref={button}
          aria-label="Upload a picture"
          aria-disabled={state.at === 'sending'}
          onClick={() => state.at !== 'sending' && chooser.current?.click()}
        >
          Upload
        </Button>
      </div>
      {state.at === 'sending' && <Progress part={state.part} onCancel={cancel} />}
      <p role="status" className={isDone ? 'text-meta text-muted' : 'sr-only'}>
        {isDone ? 'Picture uploaded. Save the course to use it.' : ''}
      </p>
    </>
  )
}

function Progress({ part, onCancel }: { part: number; onCancel: () => void }) {
  const percent = Math.round(part * 100)
  return (
    <div className="flex items-center gap-3">
      <progress aria-label="Upload of the picture" max={100} value={percent} className={bar} />
      <span className="text-meta text-muted tabular-nums">{percent < 100 ? `${percent}%` : 'Preparing…'}</span>
      <Button look="ghost" size="small" onClick={onCancel} aria-label="Cancel the upload">
        Cancel
      </Button>
    </div>
  )
}
