import { topRated } from '@/features/catalog/api'
import { CoursesOf } from '@/features/catalog/courses-of'
import { PageTitle } from '@/ui/page-title'
import { courseActions } from './parts/course-actions'

export const plan = () => [topRated]

export function Page() {
  return (
    <div className="page-wide">
      <PageTitle lead="The twelve courses that learners rate highest.">Trending Now</PageTitle>
      <CoursesOf read={topRated} label="Trending Now" cards={12} actions={courseActions} />
    </div>
  )
}
