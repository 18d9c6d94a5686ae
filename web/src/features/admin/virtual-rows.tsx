import { clsx } from 'clsx'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { heightOf, type Layout, topOf, visible } from './window'

type VirtualRowsProps<Row> = {
  label: string
  rows: readonly Row[]
  rowHeight: number
  /** The line of a row: a button that opens it, and what else can be done. */
  line: (row: Row, isOpen: boolean) => ReactNode
  /** What an open row shows below its line. */
  panel?: (row: Row) => ReactNode
  openId: string
  /** The row that was saved last, which is lit for a moment. */
  savedId: string
  /** Called when the end comes near. */
  onEnd: () => void
}

/** A list of any length of which only what can be seen is in the page. */
export function VirtualRows<Row extends { id: string }>(props: VirtualRowsProps<Row>) {
  const { rows, rowHeight, openId, savedId, line, panel, label, onEnd } = props
  const list = useRef<HTMLUListElement>(null)
  const [panelHeight, measure] = usePanelHeight()
  const openIndex = openId === '' ? -1 : rows.findIndex((row) => row.id === openId)
  const layout: Layout = { count: rows.length, rowHeight, openIndex, panelHeight }
  const { first, last } = useVisible(list, layout)
  const noteFocus = useHeirOfFocus(list, rows)

  const isNearEnd = last >= rows.length - 40
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may still not reach below the window
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, rows.length, onEnd])

  const shown = rows.slice(first, last + 1).map((row, offset) => ({ row, index: first + offset }))
  // What is being written in the open row must not go because it was scrolled away.
  const open = rows[openIndex]
  if (open && (openIndex < first || openIndex > last)) shown.push({ row: open, index: openIndex })

  return (
    <ul
      ref={list}
      aria-label={label}
      onKeyDown={moveAmongRows}
      onFocus={noteFocus}
      className="relative overflow-clip rounded-card border border-hairline"
      style={{ height: heightOf(layout) + 2 }}
    >
      {shown.map(({ row, index }) => (
        <li
          key={row.id}
          data-index={index}
          data-id={row.id}
          aria-posinset={index + 1}
          aria-setsize={rows.length}
          className={clsx('absolute inset-x-0 top-0', index > 0 && 'border-t border-hairline')}
          style={{ transform: `translateY(${topOf(index, layout)}px)` }}
        >
          <div
            className="flex items-center transition-colors hover:bg-white/4 has-[[aria-expanded=true]]:bg-white/4"
            style={{ height: rowHeight - 1 }}
          >
            {line(row, index === openIndex)}
            {row.id === savedId && (
              <span className="pointer-events-none absolute inset-0 animate-[leave_1.6s_both] bg-accent/15" />
            )}
          </div>
          {panel && index === openIndex && <div ref={measure}>{panel(row)}</div>}
        </li>
      ))}
    </ul>
  )
}

/** Brings the focus to a row's line, and the line into sight. */
export function focusRow(id: string) {
  document.querySelector<HTMLElement>(`[data-id="${id}"] [data-row]`)?.focus()
}

/** A row that is deleted takes the focus along with it: it passes to the row that comes in its place, or the last one. */
function useHeirOfFocus<Row extends { id: string }>(list: RefObject<HTMLElement | null>, rows: readonly Row[]) {
  const held = useRef({ id: '', index: 0 })
  useEffect(() => {
    const { id, index } = held.current
    if (id === '' || rows.some((row) => row.id === id)) return
    held.current = { id: '', index: 0 }
    if (document.activeElement !== document.body) return
    const heir = Math.min(index, rows.length - 1)
    list.current?.querySelector<HTMLElement>(`[data-index="${heir}"] [data-row]`)?.focus({ preventScroll: true })
  }, [list, rows])
  return ({ target }: FocusEvent<HTMLElement>) => {
    // A dialog that a row opens is no part of it.
    const item = list.current?.contains(target) ? target.closest('li') : null
    if (item) held.current = { id: item.dataset.id ?? '', index: Number(item.dataset.index) }
  }
}

/** Up and down go from row to row. */
function moveAmongRows(event: KeyboardEvent<HTMLUListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.closest('li')
  if (!step || !from) return
  const to = event.currentTarget.querySelector<HTMLElement>(
    `[data-index="${Number(from.dataset.index) + step}"] [data-row]`,
  )
  if (!to) return
  event.preventDefault()
  to.focus()
}

function usePanelHeight() {
  const [height, setHeight] = useState(0)
  const measure = (element: HTMLElement | null) => {
    if (!element) return
    const observer = new ResizeObserver(() => setHeight(element.offsetHeight))
    observer.observe(element)
    setHeight(element.offsetHeight)
    return () => {
      observer.disconnect()
      setHeight(0)
    }
  }
  return [height, useRef(measure).current] as const
}

/** Looks where the list stands in the window, and changes only when other rows come into sight. */
function useVisible(list: RefObject<HTMLElement | null>, layout: Layout) {
  const [range, setRange] = useState({ first: 0, last: -1 })
  const look = useRef(() => {})
  // After every render: what stands above the list may have moved it.
  useLayoutEffect(() => {
    look.current = () => {
      const box = list.current?.getBoundingClientRect()
      if (!box) return
      const next = visible(-box.top, innerHeight - box.top, layout)
      setRange((known) => (known.first === next.first && known.last === next.last ? known : next))
    }
    look.current()
  })
  useEffect(() => {
    let frame = 0
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        look.current()
      })
    }
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [])
  return range
}
