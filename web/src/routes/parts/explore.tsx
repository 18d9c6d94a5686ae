import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { topRated } from '@/features/catalog/api'
import { CardActions } from '@/features/catalog/card-actions'
import { CourseGrid } from '@/features/catalog/course-grid'
import { readQuery } from '@/lib/query'

/** A list that is longer than this fills the page by itself. */
const short = 8

/** Below a short list: a few courses that are not on it. */
export function Explore({ known }: { known: readonly string[] }) {
  // As it was when the page opened: what is put on the list from here stays where it was pressed.
  const [listed] = useState(known)
  const { data } = useQuery({ ...readQuery(topRated), enabled: listed.length <= short })
  const courses = data?.rows.filter(({ id }) => !listed.includes(id)).slice(0, 4) ?? []
  if (courses.length === 0) return null
  return (
    <section aria-label="More to explore" className="mt-20">
      <h2 className="mb-6 text-row font-semibold tracking-tight">More to explore</h2>
      <CourseGrid label="More to explore" courses={courses} level={3} />
    </section>
  )
}

const nothing = () => ({ corner: null, foot: null })

/**
 * Below a list that could not be read. Heart and waitlist would ask for that list again as soon as they are drawn, and the
 * page would go back to waiting: the cards are without them.
 */
export function Meanwhile() {
  return (
    <CardActions value={nothing}>
      <Explore known={[]} />
    </CardActions>
  )
}
