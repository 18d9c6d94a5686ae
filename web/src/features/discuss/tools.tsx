import { useState } from 'react'
import { useNow } from '@/lib/now'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { Field, Input } from '@/ui/field'
import { type Kind, useDelete, useHide, useReport, useReword } from './changes'
import { useKept } from './kept'
import { Reason, Write } from './parts'

/** How long authors may change their words. */
const editable = 15 * 60_000

type Post = { id: string; mine: boolean; hidden_at: string | null; created_at: string }

type ToolsProps = { kind: Kind; post: Post; minds: boolean; mayDelete: boolean; onEdit: () => void }

/** What a reader may do with a post, by what they are to it. */
export function Tools({ kind, post, minds, mayDelete, onEdit }: ToolsProps) {
  const [asks, setAsks] = useState<'' | 'hide' | 'report'>('')
  const now = useNow() ?? 0
  const remove = useDelete(kind, post.id)
  const hide = useHide(kind, post.id)
  const report = useReport(kind, post.id)
  const isHidden = post.hidden_at !== null
  const close = () => setAsks('')
  return (
    <>
      {post.mine && !isHidden && now - Date.parse(post.created_at) < editable && (
        <Button look="ghost" size="small" onClick={onEdit}>
          Edit
        </Button>
      )}
      {mayDelete && (
        <Confirm
          trigger={
            <Button look="ghost" size="small">
              Delete
            </Button>
          }
          question={`Delete this ${kind}?`}
          detail="It cannot be brought back."
          action="Delete"
          onConfirm={() => remove.mutate()}
        />
      )}
      {minds && (
        <Button look="ghost" size="small" onClick={() => (isHidden ? hide.mutate(null) : setAsks('hide'))}>
          {isHidden ? 'Show again' : 'Hide'}
        </Button>
      )}
      {!post.mine && !minds && (
        <Button look="ghost" size="small" onClick={() => setAsks('report')}>
          Report
        </Button>
      )}
      {asks === 'hide' && (
        <Reason
          title={`Hide this ${kind}`}
          description="Learners no longer see it. Its author does, with your reason."
          action="Hide"
          isPending={hide.isPending}
          onClose={close}
          onGive={(reason) => hide.mutate(reason, { onSuccess: close })}
        />
      )}
      {asks === 'report' && (
        <Reason
          title={`Report this ${kind}`}
          description="The teachers of the course look at it. Its author is not told who reported it."
          action="Report"
          isOptional
          isPending={report.isPending}
          onClose={close}
          onGive={(reason) => report.mutate(reason, { onSuccess: close })}
        />
      )}
    </>
  )
}

type RewordProps = { kind: Kind; id: string; title?: string; text: string; onDone: () => void }

/** Other words for one's own post. */
export function Reword({ kind, id, title, text, onDone }: RewordProps) {
  const kept = useKept(`post.${id}`, { title: title ?? '', text })
  const reword = useReword(kind, id)
  const { words } = kept
  const done = () => {
    kept.forget()
    onDone()
  }
  if (title === undefined)
    return (
      <Write
        label="Edit answer"
        action="Save"
        isFocused
        value={words.text}
        onChange={(next) => kept.write({ ...words, text: next })}
        isPending={reword.isPending}
        onSave={() => reword.mutate({ text: words.text }, { onSuccess: done })}
        onCancel={done}
        onLeave={onDone}
      />
    )
  return (
    <div className="discuss-form">
      <Field label="Edit question">
        {(wiring) => (
          <Input
            {...wiring}
            autoFocus
            dir="auto"
            maxLength={150}
            value={words.title}
            onChange={({ target }) => kept.write({ ...words, title: target.value })}
          />
        )}
      </Field>
      <Write
        label="Details"
        action="Save"
        isBlankFine
        value={words.text}
        onChange={(next) => kept.write({ ...words, text: next })}
        isPending={reword.isPending}
        onSave={() => reword.mutate(words, { onSuccess: done })}
        onCancel={done}
        onLeave={onDone}
      />
    </div>
  )
}
