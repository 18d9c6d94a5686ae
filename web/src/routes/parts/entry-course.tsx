import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { coursesByIds } from '@/features/catalog/api'
import { Countdown } from '@/features/catalog/countdown'
import { Still } from '@/features/catalog/still'
import { useEntries } from '@/features/waitlist/api'
import { readQuery } from '@/lib/query'

/** More than this are listed without their pictures. */
const most = 100

/** The course of an entry; all entries of the list share one read. */
function useCourse(id: string) {
  const { data: entries } = useEntries()
  const ids = (entries?.rows ?? []).flatMap((entry) => entry.course_id ?? []).slice(0, most)
  const { data } = useQuery({
    ...readQuery(coursesByIds(ids)),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return data?.rows.find((course) => course.id === id)
}

/** The picture of the course that somebody waits for. */
export function EntryStill({ id }: { id: string }) {
  const course = useCourse(id)
  return course && <Still course={course} className="still-edge size-full rounded-control" />
}

/** When it opens, or what it is where it has. */
export function EntryNote({ id }: { id: string }) {
  const course = useCourse(id)
  if (!course) return null
  if (!course.coming_soon) return `${course.duration} · ${course.level}`
  return (
    <>
      <span className="text-gold">Opens in </span>
      <span className="font-medium text-foreground">
        <Countdown launchAt={course.launch_at} />
      </span>
    </>
  )
}
