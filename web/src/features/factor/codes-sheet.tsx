import './codes-sheet.css'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { save } from '@/lib/download'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { toast } from '@/ui/toast'
import { inBlocks } from './codes'

type CodesSheetProps = { email: string; codes: string[] | null; onSaved: () => void }

/** Shows new recovery codes, this once: it closes when their owner says that they are saved. */
export function CodesSheet({ email, codes, onSaved }: CodesSheetProps) {
  const [isLeaving, setLeaving] = useState(false)
  const done = () => {
    setLeaving(false)
    onSaved()
  }
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={(open) => !open && setLeaving(true)}
      title="Your recovery codes"
      description="Keep them where only you can find them, not on the phone they stand in for. You won’t see them again."
    >
      {codes && (
        <>
          <ol aria-label="Recovery codes" className="grid gap-x-6 gap-y-1 rounded-card bg-surface-2 p-4 sm:grid-cols-2">
            {codes.map((code) => (
              <li key={code} className="font-mono text-meta whitespace-nowrap tabular-nums">
                {inBlocks(code)}
              </li>
            ))}
          </ol>
          <Keep email={email} codes={codes} />
          <div className="panel-foot">
            {isLeaving && (
              <p role="alert" className="mb-3 text-meta text-danger">
                You won’t see these codes again. Save them first, then choose “I saved them”.
              </p>
            )}
            <Button look="accent" size="large" className="w-full" onClick={done}>
              I saved them
            </Button>
          </div>
          {createPortal(<PrintSheet email={email} codes={codes} />, document.body)}
        </>
      )}
    </Dialog>
  )
}

type Codes = { email: string; codes: string[] }

const titleOf = (email: string) => `Greenroom recovery codes for ${email}`

/** Ways to keep them. */
function Keep({ email, codes }: Codes) {
  const text = `${codes.map(inBlocks).join('\n')}\n`
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast.success('Recovery codes copied!'),
      () => toast.error('Failed to copy'),
    )
  const download = () =>
    save(
      new Blob([`${titleOf(email)}\nEach code works once.\n\n${text}`], { type: 'text/plain' }),
      'greenroom-recovery-codes.txt',
    )
  return (
    <div className="mt-4 flex flex-wrap gap-3">
      <Button size="small" onClick={copy}>
        Copy
      </Button>
      <Button size="small" onClick={download}>
        Download
      </Button>
      <Button size="small" onClick={() => print()}>
        Print
      </Button>
    </div>
  )
}

function PrintSheet({ email, codes }: Codes) {
  return (
    <div className="print-sheet" aria-hidden="true">
      <p>{titleOf(email)}</p>
      <p>Each code works once.</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>{inBlocks(code)}</li>
        ))}
      </ul>
    </div>
  )
}
