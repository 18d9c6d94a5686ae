import type { CourseSummary } from '@/features/catalog/api'
import type { CardActions } from '@/features/catalog/course-card'
import { Heart } from '@/features/saved/heart'
import { JoinButton } from '@/features/waitlist/join-button'

/** Heart and waitlist on a card. */
export const courseActions = (course: CourseSummary): CardActions => ({
  corner: <Heart courseId={course.id} title={course.title} />,
  foot: <JoinButton courseTitle={course.title} />,
})
