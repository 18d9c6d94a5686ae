import { type ReactNode, useCallback, useRef, useState } from 'react'
import { useParameter } from '@/lib/address'
import { grouped } from '@/lib/format'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import type { Pages } from './pages'
import { focusRow, VirtualRows } from './virtual-rows'
import { useWide } from './wide'

type ListViewProps<Row> = {
  label: string
  pages: Pages<Row>
  /** What is said when there is nothing. */
  empty: string
  line: (row: Row, open: { isOpen: boolean; toggle: () => void }) => ReactNode
  /** Closed by a save, the row is shown to be the one that was saved. */
  panel?: (row: Row, close: (isSaved?: boolean) => void) => ReactNode
  /** Asks before an open row is closed that holds something unsaved. */
  before?: (go: () => void) => void
}

const found = (count: number) => (count === 1 ? '1 match' : `${grouped(count)} matches`)

const atOnce = (go: () => void) => go()

/** A list in each of its states: coming, failed, empty, there. */
export function ListView<Row extends { id: string }>(props: ListViewProps<Row>) {
  const { label, pages, empty, line, panel, before = atOnce } = props
  const [openId, setOpenId] = useState('')
  const [savedId, setSavedId] = useState('')
  const wide = useWide()
  const [text] = useParameter('q')
  // On a phone a title has two lines.
  const rowHeight = wide ? 64 : 108
  const latest = useRef(pages)
  latest.current = pages
  const onEnd = useCallback(() => latest.current.more(), [])

  const close = (id: string, isSaved: boolean) => {
    const go = () => {
      // Before the panel goes, and the focus inside it with it.
      focusRow(id)
      setSavedId(isSaved ? id : '')
      setOpenId('')
    }
    if (isSaved) go()
    else before(go)
  }

  const toggle = (id: string) =>
    before(() => {
      setSavedId('')
      setOpenId(openId === id ? '' : id)
    })

  if (pages.isFailed)
    return (
      <ErrorState
        title={`The ${label.toLowerCase()} could not be loaded`}
        hint={pages.isTooSlow ? 'This search is taking too long. Try a narrower one.' : 'The other tabs still work.'}
        onRetry={pages.retry}
      />
    )
  if (pages.isLoading) return <Waiting rowHeight={rowHeight} />
  if (pages.rows.length === 0)
    return <p className="rounded-card border border-hairline px-6 py-14 text-center text-muted">{empty}</p>
  return (
    <>
      <VirtualRows
        label={label}
        rows={pages.rows}
        rowHeight={rowHeight}
        openId={openId}
        savedId={savedId}
        onEnd={onEnd}
        line={(row, isOpen) => line(row, { isOpen, toggle: () => toggle(row.id) })}
        {...(panel ? { panel: (row: Row) => panel(row, (isSaved = false) => close(row.id, isSaved)) } : {})}
      />
      <p role="status" className="h-10 pt-3 text-center text-meta text-faint">
        {pages.isFetching ? 'Loading more…' : text && pages.isWhole && found(pages.rows.length)}
      </p>
    </>
  )
}

function Waiting({ rowHeight }: { rowHeight: number }) {
  return (
    <div className="grid gap-px overflow-hidden rounded-card">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: eight times the same shape
        <div key={index} style={{ height: rowHeight - 1 }}>
          <Skeleton className="h-full rounded-none" />
        </div>
      ))}
    </div>
  )
}
