import { useQueries } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { ErrorState } from '@/ui/error-state'
import type { CourseSummary } from './api'
import { CourseCard } from './course-card'
import { CardSkeleton } from './course-row'

const columns = {
  many: 'grid-cols-[repeat(auto-fill,minmax(min(100%,260px),1fr))]',
  three: 'sm:grid-cols-3',
}

const grid = 'grid gap-x-4 gap-y-10 sm:gap-x-5'

/** On a phone two cards fill the screen; those behind them are as high as most cards. */
const ahead = 'max-sm:nth-[n+3]:ahead [--ahead:calc(56.25vw+140px)]'

type GridProps = {
  courses: readonly CourseSummary[]
  label: string
  /** As many as fit beside each other, or three across the page. */
  across?: keyof typeof columns
  /** The level below the heading that the grid stands under. */
  level?: 2 | 3
}

export function CourseGrid({ courses, label, across = 'many', level = 2 }: GridProps) {
  return (
    <ul aria-label={label} className={clsx(grid, columns[across])}>
      {courses.map((course) => (
        <li key={course.id} className={ahead}>
          <CourseCard course={course} level={level} />
        </li>
      ))}
    </ul>
  )
}

export function GridSkeleton({ cards = 8 }: { cards?: number }) {
  const across = cards === 3 ? 'three' : 'many'
  return (
    <div aria-hidden="true" className={clsx(grid, columns[across])}>
      {Array.from({ length: cards }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all the same
        <CardSkeleton key={index} />
      ))}
    </div>
  )
}

type PagedGridProps = Omit<GridProps, 'courses'> & {
  /** The read of a page, counted from 0. */
  page: (number: number) => Read<CourseSummary>
  pages: number
  /** Which courses to show, and in which order. */
  arrange?: (courses: CourseSummary[]) => CourseSummary[]
}

/** A grid that asks for its next page when the reader comes near its end. */
export function PagedGrid({ page, pages, arrange = (courses) => courses, label }: PagedGridProps) {
  const [asked, setAsked] = useState(1)
  const [known, setKnown] = useState(pages)
  if (pages !== known) {
    setKnown(pages)
    // Pages that come in front push none of those on show out of sight.
    setAsked(asked + Math.max(0, pages - known))
  }
  const results = useQueries({
    queries: Array.from({ length: Math.min(asked, pages) }, (_, number) => readQuery(page(number))),
  })
  const failed = results.find((result) => result.isLoadingError)
  const waiting = results.some((result) => result.isPending)
  const courses = arrange(results.flatMap((result) => result.data?.rows ?? []))
  return (
    <>
      <CourseGrid courses={courses} label={label} />
      {waiting && (
        <div className="mt-10">
          <GridSkeleton cards={4} />
        </div>
      )}
      {failed && (
        <div className="mt-10">
          <ErrorState title="More courses could not be loaded" onRetry={() => void failed.refetch()} />
        </div>
      )}
      {/* A new mark for each page: one that is near already would not come near again. */}
      {!waiting && !failed && asked < pages && <Near key={asked} onNear={() => setAsked((known) => known + 1)} />}
    </>
  )
}

/** Calls out when it comes near the visible part of the page. */
function Near({ onNear }: { onNear: () => void }): ReactNode {
  const mark = useRef<HTMLDivElement>(null)
  const call = useRef(onNear)
  useEffect(() => {
    call.current = onNear
  })
  useEffect(() => {
    const element = mark.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) call.current()
      },
      { rootMargin: '800px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return <div ref={mark} className="h-px" />
}
