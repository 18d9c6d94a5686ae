import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CourseSummary, topRated } from '@/features/catalog/api'
import { CardActions } from '@/features/catalog/card-actions'
import { CourseGrid } from '@/features/catalog/course-grid'
import { keys } from '@/lib/keys'
import { readQuery } from '@/lib/query'
import type { Answer } from '@/lib/read'
import { buttonLook } from '@/ui/button'
import { Link } from '@/ui/link'

/** A list that is longer than this fills the page by itself. */
const short = 8

/** Below a short list: a few courses that are not on it. */
export function Explore({ known }: { known: readonly string[] }) {
  // As it was when the page opened: what is put on the list from here stays where it was pressed.
  const [listed] = useState(known)
  const { data } = useQuery({ ...readQuery(topRated), enabled: listed.length <= short })
  const courses = data?.rows.filter(({ id }) => !listed.includes(id)) ?? []
  return <Courses courses={courses} />
}

const heading = <h2 className="mb-6 text-row font-semibold tracking-tight">More to explore</h2>

function Courses({ courses }: { courses: readonly CourseSummary[] }) {
  if (courses.length === 0) return null
  return (
    <section aria-label="More to explore" className="mt-20">
      {heading}
      <CourseGrid label="More to explore" courses={courses.slice(0, 4)} level={3} />
    </section>
  )
}

const nothing = () => ({ corner: null, foot: null })

/**
 * Below a list that could not be read. Heart and waitlist would ask for that list again as soon as they are drawn, and the
 * page would go back to waiting: the cards are without them.
 */
export function Meanwhile() {
  const { data, failureCount } = useQuery(readQuery(topRated))
  const client = useQueryClient()
  if (!data && failureCount === 0) return null
  const courses = data?.rows ?? seenCourses(client)
  if (courses.length === 0) return <Elsewhere />
  return (
    <CardActions value={nothing}>
      <Courses courses={courses} />
    </CardActions>
  )
}

/** The courses that another page of this visit has brought along, where the server gives none. */
function seenCourses(client: QueryClient): CourseSummary[] {
  const answers = client.getQueriesData<Answer<CourseSummary>>({ queryKey: keys.table('courses') })
  // A read may be of one column, or of pages.
  const rows = answers.flatMap(([, answer]) => answer?.rows ?? []).filter((course) => course.title && course.thumbnail)
  return [...new Map(rows.map((course) => [course.id, course])).values()]
}

const places = [
  ['/', 'Home'],
  ['/#trending', 'Trending'],
  ['/search', 'Search'],
] as const

function Elsewhere() {
  return (
    <nav aria-label="More to explore" className="mt-14">
      {heading}
      <ul className="flex flex-wrap gap-3">
        {places.map(([to, name]) => (
          <li key={to}>
            <Link to={to} className={buttonLook({})}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
