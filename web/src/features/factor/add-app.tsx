import { useState } from 'react'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/code-field'
import { Dialog } from '@/ui/dialog'
import { toast } from '@/ui/toast'
import { useVerifyCode } from './api'
import { abandon, useAdded, useBeginApp } from './factors'
import { freeName, NameForm } from './name-form'
import { useCode } from './use-code'

export type AddProps = { user: string; open: boolean; taken: readonly string[]; onClose: () => void }

type Begun = { id: string; name: string; picture: string; secret: string; address: string }

/** Puts an authenticator app on the account: its name, then its secret, then its first code. */
export function AddApp({ user, open, taken, onClose }: AddProps) {
  const [begun, setBegun] = useState<Begun | null>(null)
  const begin = useBeginApp()
  const added = useAdded(user)
  const leave = () => {
    setBegun(null)
    begin.reset()
    verify.reset()
    onClose()
  }
  const verify = useVerifyCode(begun?.id ?? '', () => {
    leave()
    void added(begun?.name ?? '')
  })
  const close = () => {
    // What is being verified may be on the account by now: giving it up would take it off again.
    if (verify.isPending) return
    if (begun) void abandon(begun.id).catch(() => undefined)
    leave()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && close()}
      title="Authenticator app"
      description={
        begun
          ? 'Scan this with your app, then enter the code it shows.'
          : 'An app on your phone that shows a new code every 30 seconds.'
      }
    >
      {begun ? (
        <FirstCode begun={begun} verify={verify} />
      ) : (
        <NameForm
          suggestion={freeName('Authenticator app', taken)}
          hint="So you can tell it apart, such as the phone it’s on."
          busy="Preparing..."
          isPending={begin.isPending}
          error={begin.error}
          onName={(name) => begin.mutate(name, { onSuccess: (answer) => setBegun({ ...answer, name }) })}
        />
      )}
    </Dialog>
  )
}

function FirstCode({ begun, verify }: { begun: Begun; verify: ReturnType<typeof useVerifyCode> }) {
  const { field, submit } = useCode(verify)
  return (
    <form noValidate method="post" aria-label="First code" onSubmit={submit} className="grid gap-5">
      <div className="flex flex-col items-center gap-4">
        <img
          src={begun.picture}
          alt="QR code for your authenticator app"
          width="192"
          height="192"
          className="rounded-card"
        />
        <Button asChild className="w-full sm:hidden">
          <a href={begun.address}>Open your app</a>
        </Button>
        <Secret text={begun.secret} />
      </div>
      <CodeField {...field} hint="This confirms that your app is set up." />
      <Button type="submit" look="accent" size="large" disabled={verify.isPending}>
        {verify.isPending ? 'Verifying...' : 'Turn on'}
      </Button>
    </form>
  )
}

/** The secret as text, in fours, for who cannot scan it. */
function Secret({ text }: { text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast.success('Key copied!'),
      () => toast.error('Failed to copy'),
    )
  return (
    <div className="w-full rounded-card border border-hairline bg-surface-2 px-4 py-3">
      <p className="text-meta text-muted">Or enter this key in the app</p>
      <div className="flex items-center gap-3">
        <code className="min-w-0 flex-1 font-mono text-meta wrap-anywhere">{text.match(/.{1,4}/g)?.join(' ')}</code>
        <Button size="small" aria-label="Copy the key" onClick={copy}>
          Copy
        </Button>
      </div>
    </div>
  )
}
