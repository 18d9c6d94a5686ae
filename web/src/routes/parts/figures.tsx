import { useQuery } from '@tanstack/react-query'
import { categories, everyCourse } from '@/features/catalog/api'
import { featuredWorkshop } from '@/features/waitlist/workshop'
import { grouped } from '@/lib/format'
import { readQuery } from '@/lib/query'

/** The reads of the figures. */
export const figures = [everyCourse, featuredWorkshop]

/** What the house has to show, counted from its own catalogue. */
export function Figures() {
  const { data: courses } = useQuery(readQuery(everyCourse))
  const { data: workshop } = useQuery(readQuery(featuredWorkshop))
  const spots = workshop?.rows[0]?.spots
  const shown: [figure: string, what: string][] = [
    [courses?.total ? grouped(courses.total) : '–', 'courses in the catalog'],
    [String(categories.length), 'fields, from acting to growth'],
    [spots ? String(spots) : '–', 'spots in the next live workshop'],
  ]
  return (
    <dl className="grid gap-x-10 gap-y-5 sm:grid-cols-3">
      {shown.map(([figure, what]) => (
        <div key={what} className="flex flex-col-reverse">
          <dt className="text-muted">{what}</dt>
          <dd className="font-serif text-hero">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
