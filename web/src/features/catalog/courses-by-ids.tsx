import { useState } from 'react'
import { type CourseSummary, coursesByIds, pageLength } from './api'
import type { CardActions } from './course-card'
import { PagedGrid } from './course-grid'

type CoursesByIdsProps = { ids: readonly string[]; label: string; actions: (course: CourseSummary) => CardActions }

/** Courses in the order of their ids. What leaves the list goes from sight without another read. */
export function CoursesByIds({ ids, label, actions }: CoursesByIdsProps) {
  const [listed] = useState(ids)
  const order = new Map(ids.map((id, index) => [id, index]))
  return (
    <PagedGrid
      label={label}
      page={(number) => coursesByIds(listed.slice(number * pageLength, (number + 1) * pageLength))}
      pages={Math.ceil(listed.length / pageLength)}
      arrange={(courses) =>
        courses.filter(({ id }) => order.has(id)).sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
      }
      actions={actions}
    />
  )
}
