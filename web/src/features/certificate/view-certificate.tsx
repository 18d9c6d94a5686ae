import { useQuery } from '@tanstack/react-query'
import { readQuery } from '@/lib/query'
import type { Read } from '@/lib/read'
import { useReaderId } from '@/lib/session'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'

/** The certificate that somebody holds of a course; those who teach it could read the others'. */
const ownOf = (user: string, course: string): Read<{ code: string; revoked_at: string | null }> => ({
  table: 'certificates',
  columns: { code: 'string', revoked_at: 'string?' },
  where: [
    ['user_id', 'eq', user],
    ['course_id', 'eq', course],
  ],
  limit: 1,
})

/** The way to one's certificate of a course; nothing for who has none. */
export function ViewCertificate({ course }: { course: string }) {
  const user = useReaderId()
  const { data } = useQuery({ ...readQuery(ownOf(user, course)), enabled: user !== '', refetchOnMount: 'always' })
  const held = data?.rows[0]
  return (
    held && (
      <Button asChild look="glass" size="large">
        <Link to={`/certificate/${held.code}`}>{held.revoked_at ? 'Certificate withdrawn' : 'View Certificate'}</Link>
      </Button>
    )
  )
}
