import type { CourseSummary } from '@/features/catalog/api'
import { Heart } from '@/features/saved/heart'
import { JoinButton } from '@/features/waitlist/join-button'

/** Heart and waitlist on every card. */
export const cardActions = (course: CourseSummary) => ({
  corner: <Heart courseId={course.id} title={course.title} />,
  foot: <JoinButton courseTitle={course.title} />,
})
