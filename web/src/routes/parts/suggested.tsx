import { suggestions } from '@/features/catalog/api'
import { CoursesOf } from '@/features/catalog/courses-of'
import { courseActions } from './course-actions'

/** Three courses to go on with. */
export function Suggested() {
  return <CoursesOf read={suggestions} label="Suggestions" cards={3} actions={courseActions} />
}
