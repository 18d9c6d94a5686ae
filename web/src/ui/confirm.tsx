import { AlertDialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button'

type ConfirmProps = {
  /** What opens it; without one it is opened by `open`. */
  trigger?: ReactNode
  open?: boolean
  onClose?: () => void
  question: string
  detail?: ReactNode
  /** The safe answer. */
  keep?: string
  action: string
  onConfirm: () => void
}

/** Asks before something that cannot be undone; the safe answer has the focus. */
export function Confirm(props: ConfirmProps) {
  const { trigger, open, onClose, question, detail, keep = 'Cancel', action, onConfirm } = props
  return (
    <Primitive.Root {...(open === undefined ? {} : { open, onOpenChange: (is: boolean) => !is && onClose?.() })}>
      {trigger && <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>}
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-black/80 data-[state=open]:animate-[fade_160ms_both]" />
        <Primitive.Content
          {...(detail ? {} : { 'aria-describedby': undefined })}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto max-w-[440px] -translate-y-1/2 rounded-sheet border border-hairline bg-surface-1 p-6 data-[state=open]:animate-[fade_160ms_both] sm:p-8"
        >
          <Primitive.Title className="text-lg leading-snug font-semibold wrap-anywhere text-balance">
            {question}
          </Primitive.Title>
          {detail && (
            <Primitive.Description className="mt-2 text-muted [overflow-wrap:anywhere]">{detail}</Primitive.Description>
          )}
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Primitive.Cancel asChild>
              <Button look="ghost">{keep}</Button>
            </Primitive.Cancel>
            <Primitive.Action asChild>
              <Button look="danger" onClick={onConfirm}>
                {action}
              </Button>
            </Primitive.Action>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
