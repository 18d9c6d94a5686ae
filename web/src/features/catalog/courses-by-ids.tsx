import { useState } from 'react'
import { coursesByIds, pageLength } from './api'
import { PagedGrid } from './course-grid'

function inPages(ids: readonly string[]): string[][] {
  const pages: string[][] = []
  for (let at = 0; at < ids.length; at += pageLength) pages.push(ids.slice(at, at + pageLength))
  return pages
}

/**
 * Courses in the order of their ids. What leaves the list goes from sight without another read; what joins it, here or in
 * another tab, is a page of its own, so that nothing on show is read again.
 */
export function CoursesByIds({ ids, label }: { ids: readonly string[]; label: string }) {
  const [pages, setPages] = useState(() => inPages(ids))
  const listed = new Set(pages.flat())
  const joined = ids.filter((id) => !listed.has(id))
  if (joined.length > 0) setPages([...inPages(joined), ...pages])
  const order = new Map(ids.map((id, index) => [id, index]))
  return (
    <PagedGrid
      label={label}
      page={(number) => coursesByIds(pages[number] ?? [])}
      pages={pages.length}
      arrange={(courses) =>
        courses.filter(({ id }) => order.has(id)).sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
      }
    />
  )
}
