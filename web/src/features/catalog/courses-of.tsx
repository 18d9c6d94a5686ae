import { useQuery } from '@tanstack/react-query'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { ErrorState } from '@/ui/error-state'
import { type CourseSummary, suggestions } from './api'
import { CourseGrid, GridSkeleton } from './course-grid'

type CoursesOfProps = { read: Read<CourseSummary>; label: string; cards: number }

/** The courses of one read as a grid, with its waiting, failing and empty views. */
export function CoursesOf({ read, label, cards }: CoursesOfProps) {
  const { data, isLoadingError, refetch } = useQuery(readQuery(read))
  if (isLoadingError) {
    return (
      <ErrorState
        title="These courses could not be loaded"
        hint="The rest of the site still works."
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <GridSkeleton cards={cards} />
  if (data.rows.length === 0) return <p className="text-muted">No courses available</p>
  return <CourseGrid label={label} courses={data.rows} across={cards === 3 ? 'three' : 'many'} />
}

/** Three courses to go on with. */
export function Suggestions() {
  return <CoursesOf read={suggestions} label="Suggestions" cards={3} />
}
