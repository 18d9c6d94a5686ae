import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Icon } from './icon'
import { IconButton } from './icon-button'

// Only fingers snap to a card: a snap would shorten or stretch the step of the arrows.
const step = 400

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Which way a scroller can still go. */
function useEdges(scroller: React.RefObject<HTMLElement | null>) {
  const [edges, setEdges] = useState({ back: false, on: false })
  const look = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const back = element.scrollLeft > 4
    const on = element.scrollLeft + element.clientWidth < element.scrollWidth - 4
    setEdges((known) => (known.back === back && known.on === on ? known : { back, on }))
  }, [scroller])
  // The observer looks when the browser has laid the row out; to ask by oneself would lay out rows far below the screen.
  useEffect(() => {
    const observer = new ResizeObserver(look)
    if (scroller.current) observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [look, scroller])
  return { edges, look }
}

/** Steps that add up: one that is asked for under way goes on from where the last one leads. */
function useSteps(scroller: React.RefObject<HTMLElement | null>) {
  const goal = useRef<number>(undefined)
  const arrive = () => {
    goal.current = undefined
  }
  const scroll = (by: number) => {
    const element = scroller.current
    if (!element) return
    const left = (goal.current ?? element.scrollLeft) + by
    goal.current = Math.max(0, Math.min(left, element.scrollWidth - element.clientWidth))
    element.scrollTo({ left: goal.current, behavior: calm() ? 'auto' : 'smooth' })
    if (!('onscrollend' in element)) setTimeout(arrive, 600)
  }
  return { scroll, arrive }
}

const lefts = new Map<string, number>()

/** Keeps how far a row is scrolled, for who comes back to this entry of the history. */
function useKeptLeft(scroller: React.RefObject<HTMLElement | null>, label: string) {
  const place = `${useLocation().key} ${label}`
  const left = useRef(0)
  useLayoutEffect(() => {
    const kept = lefts.get(place)
    if (kept !== undefined && scroller.current) scroller.current.scrollLeft = kept
    else if (left.current > 0) lefts.set(place, left.current)
  }, [place, scroller])
  return () => {
    left.current = scroller.current?.scrollLeft ?? 0
    lefts.set(place, left.current)
  }
}

/** What an arrow key leads to, one item further: its heading's link, else the first thing that can be pressed. */
function moveFocus(list: HTMLElement, key: string): boolean {
  const stops = [...list.children]
    .map((item) => item.querySelector<HTMLElement>('h3 a') ?? item.querySelector<HTMLElement>('a, button'))
    .filter((stop) => stop !== null)
  const here = [...list.children].findIndex((item) => item.contains(document.activeElement))
  const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: stops.length - 1 }[key]
  const target = to === undefined || here < 0 ? undefined : stops[to]
  if (!target) return false
  target.focus({ preventScroll: true })
  target.closest('li')?.scrollIntoView({ inline: 'nearest', block: 'nearest', behavior: calm() ? 'auto' : 'smooth' })
  return true
}

type RowProps = { label: string; heading: ReactNode; id?: string | undefined; children: ReactNode }

/** A heading and a line of items (`li`) that scrolls sideways by touch, wheel, arrow keys and buttons. */
export function Row({ label, heading, id, children }: RowProps) {
  const scroller = useRef<HTMLUListElement>(null)
  const { edges, look } = useEdges(scroller)
  const { scroll, arrive } = useSteps(scroller)
  const keep = useKeptLeft(scroller, label)
  const onScroll = () => {
    keep()
    look()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    if (moveFocus(event.currentTarget, event.key)) event.preventDefault()
  }
  return (
    <section
      id={id}
      aria-label={label}
      className="group/row ahead relative scroll-mt-[calc(var(--header)+16px)] [--ahead:26rem]"
    >
      <div className="flex items-end justify-between gap-4 px-(--gutter)">
        {heading}
        <div className="row-arrows hidden gap-1 opacity-0 transition-opacity group-focus-within/row:opacity-100 group-hover/row:opacity-100 has-focus-visible:opacity-100 pointer-fine:flex">
          <IconButton label={`Previous in ${label}`} disabled={!edges.back} onClick={() => scroll(-step)}>
            <Icon name="left" />
          </IconButton>
          <IconButton label={`Next in ${label}`} disabled={!edges.on} onClick={() => scroll(step)}>
            <Icon name="right" />
          </IconButton>
        </div>
      </div>
      <ul
        ref={scroller}
        onScroll={onScroll}
        onScrollEnd={arrive}
        onKeyDown={onKeyDown}
        className="flex pointer-coarse:snap-x pointer-coarse:snap-proximity scroll-px-(--gutter) gap-4 overflow-x-auto overscroll-x-contain px-(--gutter) pt-5 pb-4 [scrollbar-width:none]"
      >
        {children}
      </ul>
    </section>
  )
}
