import type { ReactNode } from 'react'
import { Head } from '@/lib/head'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'
import { Skeleton } from '@/ui/skeleton'
import { Lost } from './lost'

export function CourseNotFound({ suggestions }: { suggestions: ReactNode }) {
  return (
    <>
      <Head title="Course not found" description="This course is not on Greenroom." status={404} robots="noindex" />
      <Lost
        title="Course not found"
        hint="It may no longer be offered, or the link is incomplete."
        action={
          <Button asChild look="primary">
            <Link to="/">Back to Home</Link>
          </Button>
        }
        suggestions={suggestions}
      />
    </>
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
