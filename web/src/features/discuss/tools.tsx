import { useState } from 'react'
import { useIsAdmin } from '@/lib/auth-role'
import { useNow } from '@/lib/now'
import { useReaderId } from '@/lib/session'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { Field, Input } from '@/ui/field'
import { type Kind, useDelete, useHide, useReport, useReword, useShow } from './changes'
import { useKept } from './kept'
import { Reason, Write } from './parts'

/** How long authors may change their words. */
const editable = 15 * 60_000

type Post = { id: string; mine: boolean; hidden_at: string | null; hidden_by_admin: boolean; created_at: string }

type ToolsProps = {
  kind: Kind
  post: Post
  minds: boolean
  isReported: boolean
  mayDelete: boolean
  onEdit: () => void
}

/** What a reader may do with a post, by what they are to it. */
export function Tools({ kind, post, minds, isReported, mayDelete, onEdit }: ToolsProps) {
  const [asks, setAsks] = useState<'' | 'hide' | 'report'>('')
  const now = useNow() ?? 0
  const remove = useDelete(kind, post.id)
  const hide = useHide(kind, post.id)
  const show = useShow(kind, post.id)
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
      {minds && isReported && !isHidden && (
        <Button look="ghost" size="small" onClick={() => show.mutate()}>
          Keep it
        </Button>
      )}
      {minds && isHidden && <ShowAgain isByAdmin={post.hidden_by_admin} onShow={() => show.mutate()} />}
      {minds && !isHidden && (
        <Button look="ghost" size="small" onClick={() => setAsks('hide')}>
          Hide
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

/** What an admin hid, only admins show again. */
function ShowAgain({ isByAdmin, onShow }: { isByAdmin: boolean; onShow: () => void }) {
  const admin = useIsAdmin(useReaderId())
  if (isByAdmin && !admin.data) return null
  return (
    <Button look="ghost" size="small" onClick={onShow}>
      Show again
    </Button>
  )
}

type RewordProps = { kind: Kind; id: string; title?: string; text: string; onDone: () => void }

/** Other words for one's own post. */
export function Reword({ kind, id, title, text, onDone }: RewordProps) {
  const kept = useKept(`post.${id}`, { title: title ?? '', text })
  const reword = useReword(kind, id)
  const [isTried, setTried] = useState(false)
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
      <Field
        label="Edit question"
        error={isTried && words.title.trim() === '' ? 'Write your question first.' : undefined}
      >
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
        onSave={() => (words.title.trim() === '' ? setTried(true) : reword.mutate(words, { onSuccess: done }))}
        onCancel={done}
        onLeave={onDone}
      />
    </div>
  )
}
