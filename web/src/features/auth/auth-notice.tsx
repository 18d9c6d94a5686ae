import type { ReactNode } from 'react'
import { Notice } from '@/ui/notice'
import { useResendConfirmation } from './api'
import type { Outcome } from './auth-form'

type AuthNoticeProps = {
  outcome: Outcome | null
  linkFailed: boolean
  arrival: string | null
  onAskAgain: () => void
}

/** What happened before, or what to do next, above the form. */
export function AuthNotice({ outcome, linkFailed, arrival, onAskAgain }: AuthNoticeProps) {
  const resend = useResendConfirmation()
  if (outcome?.kind === 'link-sent')
    return (
      <Notice tone="info" className="mb-5">
        If <b className="font-medium wrap-anywhere">{outcome.email}</b> has an account, we sent you an email. Its link
        works once and expires in an hour.
      </Notice>
    )
  if (outcome?.kind === 'unconfirmed')
    return (
      <Notice tone="info" className="mb-5">
        We sent an email to <b className="font-medium wrap-anywhere">{outcome.email}</b>. Open the link in it, then sign
        in.
        <Action disabled={resend.isPending} onClick={() => resend.mutate(outcome.email)}>
          Send it again
        </Action>
      </Notice>
    )
  if (linkFailed)
    return (
      <Notice tone="danger" className="mb-5">
        A reset link works once and expires an hour after we send it.
        <Action onClick={onAskAgain}>Get a new link</Action>
      </Notice>
    )
  if (arrival)
    return (
      <Notice tone="danger" className="mb-5">
        {arrival}
      </Notice>
    )
  return null
}

function Action({ children, ...rest }: { children: ReactNode; disabled?: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="mt-1 block min-h-11 font-medium underline underline-offset-4 disabled:opacity-60"
      {...rest}
    >
      {children}
    </button>
  )
}
