import { Head } from '@/lib/head'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'
import { Skeleton } from '@/ui/skeleton'

export function CourseNotFound() {
  return (
    <div className="page flex min-h-[70dvh] flex-col items-start justify-center">
      <Head title="Course not found" description="This course is not on Greenroom." status={404} robots="noindex" />
      <h1 className="font-serif text-title tracking-tight">Course not found</h1>
      <p className="mt-3 max-w-[52ch] text-muted">It may no longer be offered, or the link is incomplete.</p>
      <Button asChild look="primary" className="mt-8">
        <Link to="/">Back to Home</Link>
      </Button>
    </div>
  )
}

export function CourseSkeleton() {
  return (
    <div className="px-(--gutter) pt-[calc(var(--header)+40px)]" aria-busy="true">
      <Skeleton className="aspect-[21/9] w-full rounded-card" />
      <Skeleton className="mt-8 h-4 w-40" />
      <Skeleton className="mt-4 h-14 w-2/3" />
      <Skeleton className="mt-6 h-5 w-80 max-w-full" />
    </div>
  )
}
