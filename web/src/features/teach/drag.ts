import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react'
import type { Place } from './outline'

// Dragging by pointer events, so that fingers can do it too. The keyboard has Move up and Move down.

export type Held = { kind: 'lesson' | 'section'; id: string }
/** Where what is held would come to stand: before the lesson at a place, or before a section. */
export type Target = Place | { chapter: number; index?: undefined }

const rows = (part: ParentNode, name: string) => [...part.querySelectorAll<HTMLElement>(`[data-${name}]`)]
const isBelowMiddle = (row: HTMLElement, y: number) => {
  const { top, height } = row.getBoundingClientRect()
  return y > top + height / 2
}

/** The place under a height of the window. */
export function targetAt(list: HTMLElement, held: Held, y: number): Target {
  const chapters = rows(list, 'section')
  if (held.kind === 'section') return { chapter: chapters.filter((chapter) => isBelowMiddle(chapter, y)).length }
  const under = chapters.findIndex((chapter) => y < chapter.getBoundingClientRect().bottom)
  const chapter = under < 0 ? chapters.length - 1 : under
  const lessons = chapters[chapter] ? rows(chapters[chapter], 'lesson') : []
  return { chapter, index: lessons.filter((lesson) => isBelowMiddle(lesson, y)).length }
}

const edge = 96

/** Scrolls while something is held near the upper or lower end of the window. */
const scrollNear = (y: number) => {
  if (y < edge) scrollBy(0, (y - edge) / 6)
  else if (y > innerHeight - edge) scrollBy(0, (y - innerHeight + edge) / 6)
}

/** What is held, where it would come, and what a handle needs. Escape puts it back. */
export function useDrag(onDrop: (held: Held, target: Target) => void) {
  const list = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState<Held | null>(null)
  const [target, setTarget] = useState<Target | null>(null)
  const y = useRef(0)
  const latest = useRef({ onDrop, target })
  latest.current = { onDrop, target }

  useEffect(() => {
    if (!held) return
    let frame = 0
    const look = () => {
      scrollNear(y.current)
      if (list.current) {
        const next = targetAt(list.current, held, y.current)
        setTarget((known) => (known?.chapter === next.chapter && known.index === next.index ? known : next))
      }
      frame = requestAnimationFrame(look)
    }
    const end = (isDropped: boolean) => {
      if (isDropped && latest.current.target) latest.current.onDrop(held, latest.current.target)
      setHeld(null)
      setTarget(null)
    }
    const move = (event: PointerEvent) => {
      y.current = event.clientY
    }
    const up = () => end(true)
    const cancel = () => end(false)
    const key = (event: KeyboardEvent) => event.key === 'Escape' && cancel()
    addEventListener('pointermove', move)
    addEventListener('pointerup', up)
    addEventListener('pointercancel', cancel)
    addEventListener('keydown', key)
    frame = requestAnimationFrame(look)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', cancel)
      removeEventListener('keydown', key)
    }
  }, [held])

  const handle = (what: Held) => ({
    onPointerDown: (event: ReactPointerEvent) => {
      if (event.button !== 0) return
      event.preventDefault()
      y.current = event.clientY
      setHeld(what)
    },
  })
  return { list, held, target, handle }
}

export type Drag = ReturnType<typeof useDrag>
