import { useEffect, useRef, useState } from 'react'
import { hasKept } from '@/lib/kept'
import { useReaderId } from '@/lib/session'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import type { Review, Standing } from './api'
import { refusals, useDeleteReview } from './calls'
import { Said } from './course-reviews'
import { WriteForm } from './write-form'

/** The reader's own review: to be written, as it stands, or being changed. */
export function Own({ course, standing: { may, why, mine } }: { course: string; standing: Standing }) {
  const draft = `review.${useReaderId()}.${course}`
  const [isEditing, setEditing] = useState(() => hasKept(draft))
  const box = useRef<HTMLElement>(null)
  const wasThere = useRef(mine !== null)
  // What was pressed is gone once a review comes or goes: its focus stays with the reader's own.
  useEffect(() => {
    if (wasThere.current !== (mine !== null) && document.activeElement === document.body) box.current?.focus()
    wasThere.current = mine !== null
  }, [mine])
  if (refusals[why]) return <p className="text-muted">{refusals[why]}</p>
  if (!mine && !may) return null
  const close = () => {
    setEditing(false)
    box.current?.focus()
  }
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Your review"
      className="rounded-card border border-hairline bg-surface-1 p-6"
    >
      <h3 className="font-medium">{mine ? 'Your review' : 'Write a review'}</h3>
      <div className="mt-4">
        {mine && !isEditing ? (
          <Shown course={course} mine={mine} may={may} onEdit={() => setEditing(true)} />
        ) : (
          <WriteForm key={mine?.id ?? ''} course={course} draft={draft} mine={mine} onDone={close} />
        )}
      </div>
    </section>
  )
}

type ShownProps = { course: string; mine: Review; may: boolean; onEdit: () => void }

function Shown({ course, mine, may, onEdit }: ShownProps) {
  const remove = useDeleteReview(course, mine.id)
  const isHidden = mine.state === 'hidden'
  return (
    <div className="grid gap-4">
      {isHidden && (
        <p className="text-[0.9375rem]">
          <span className="font-medium text-danger">Hidden from others.</span> {mine.hidden_for}
        </p>
      )}
      <Said review={mine} />
      <div className="flex flex-wrap gap-2">
        {may && (
          <Button size="small" onClick={onEdit}>
            Edit
          </Button>
        )}
        {!isHidden && (
          <Confirm
            trigger={
              <Button size="small" look="ghost" aria-disabled={remove.isPending}>
                Delete
              </Button>
            }
            question="Delete your review?"
            detail="Its stars no longer count."
            keep="Keep it"
            action="Delete"
            onConfirm={() => remove.mutate()}
          />
        )}
      </div>
    </div>
  )
}
