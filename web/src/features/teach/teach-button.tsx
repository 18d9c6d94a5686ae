import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'
import { useTeaching } from './api'

/** The way to the studio, for whoever has something there. */
export function TeachButton() {
  const { data: courses = [] } = useTeaching()
  if (courses.length === 0) return null
  return (
    <Button asChild size="large">
      <Link to="/teach">
        <Icon name="lessons" />
        Teach
      </Link>
    </Button>
  )
}
