import { Still } from '@/features/catalog/still'
import type { Learning } from '@/features/learn/calls'
import { ContinueRow } from '@/features/learn/continue-row'

/** The row of the home page for who is in the middle of a course. It comes when it is known that somebody is here. */
export const ContinueLearning = () => <ContinueRow still={stillOf} />

const stillOf = ({ course_id, thumbnail }: Learning) => (
  <Still course={{ id: course_id, thumbnail, category: '' }} className="still-edge aspect-video rounded-card" />
)
