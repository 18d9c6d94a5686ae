import type { ReactNode } from 'react'
import { Icon } from '@/ui/all-icons'
import { Button, buttonLook } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { replyTo } from './message'

type EntryPanelProps = {
  facts: readonly (readonly [label: string, value: ReactNode])[]
  /** What was written, whole. */
  text?: string
  email: string
  subject: string
  question: string
  onDelete: () => void
  children?: ReactNode
}

/** An entry whole, with a way to answer it and one to remove it. */
export function EntryPanel({ facts, text, email, subject, question, onDelete, children }: EntryPanelProps) {
  return (
    <div className="border-t border-hairline bg-surface-1 px-4 pt-4 pb-5">
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {facts
          .filter(([, value]) => value !== '' && value !== null)
          .map(([label, value]) => (
            <div key={label} className="max-w-full min-w-0">
              <dt className="text-[0.8125rem] text-faint">{label}</dt>
              <dd className="[overflow-wrap:anywhere]">{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
            </div>
          ))}
      </dl>
      {text && (
        <p
          dir="auto"
          className="mt-5 max-w-[72ch] border-l-2 border-hairline ps-4 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {text}
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <a href={replyTo(email, subject)} className={buttonLook({ look: 'primary', size: 'small' })}>
          <Icon name="mail" className="size-4.5" />
          Reply by email
        </a>
        {children}
        <Confirm
          question={question}
          action="Delete"
          onConfirm={onDelete}
          trigger={
            <Button look="ghost" size="small" className="hover:text-danger">
              <Icon name="trash" className="size-4.5" />
              Delete
            </Button>
          }
        />
      </div>
    </div>
  )
}
