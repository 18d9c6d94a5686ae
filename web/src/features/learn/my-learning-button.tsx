import { useQuery } from '@tanstack/react-query'
import { readQuery } from '@/lib/query'
import { useReaderId } from '@/lib/session'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'
import { anyEnrollment } from './api'
import { PlayDrawing } from './drawings'

/** The way to the courses that somebody takes; nothing for who takes none. */
export function MyLearningButton() {
  const user = useReaderId()
  const { data } = useQuery({ ...readQuery(anyEnrollment(user)), enabled: user !== '' })
  if (!data?.rows.length) return null
  return (
    <Button asChild size="large">
      <Link to="/learn">
        <PlayDrawing />
        My Learning
      </Link>
    </Button>
  )
}
