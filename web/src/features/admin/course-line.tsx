import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Course } from '@/lib/rows'
import { Icon, Star } from '@/ui/all-icons'
import { Confirm } from '@/ui/confirm'
import { IconButton } from '@/ui/icon-button'
import { Link } from '@/ui/link'
import { Badge, Cut, LineButton, When } from './parts'

type CourseLineProps = {
  course: Course
  still: ReactNode
  isOpen: boolean
  toggle: () => void
  onDelete: () => void
}

export function CourseLine({ course, still, isOpen, toggle, onDelete }: CourseLineProps) {
  return (
    <>
      <LineButton
        isOpen={isOpen}
        onClick={toggle}
        className="grid grid-cols-[88px_minmax(0,1fr)] items-center gap-4 md:grid-cols-[80px_minmax(0,3fr)_minmax(0,1.6fr)_minmax(0,1.6fr)_64px_112px]"
      >
        <span className="overflow-hidden rounded-[5px]">{still}</span>
        <span className="min-w-0">
          <span className="sr-only">Edit </span>
          <span className="flex items-center gap-2.5">
            <Cut two className="leading-snug font-medium">
              {course.title}
            </Cut>
            {course.coming_soon && (
              <span className="max-md:hidden">
                <Badge tone="gold">Coming soon</Badge>
              </span>
            )}
          </span>
          <Cut className="text-meta text-muted">{course.instructor}</Cut>
          <Cut className={clsx('text-meta md:hidden', course.coming_soon ? 'text-gold' : 'text-muted')}>
            {[course.coming_soon ? 'Coming soon' : course.level, course.rating.toFixed(1), course.category].join(' · ')}
          </Cut>
        </span>
        <Cut className="text-meta text-muted max-md:hidden">{course.category}</Cut>
        <Cut className="text-meta text-muted max-md:hidden">{`${course.level} · ${course.lessons} lessons`}</Cut>
        <span className="inline-flex items-center gap-1.5 text-meta tabular-nums max-md:hidden">
          <Star className="size-3.5" />
          {course.rating.toFixed(1)}
        </span>
        <When at={course.created_at} className="text-meta text-faint max-md:hidden" />
      </LineButton>
      <Link
        to={`/teach/${course.id}`}
        aria-label={`Curriculum of ${course.title}`}
        className="press inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center rounded-control px-3 text-meta font-medium text-muted hover:bg-glass-2 hover:text-foreground max-md:px-0"
      >
        <Icon name="lessons" className="md:hidden" />
        <span className="max-md:hidden">Curriculum</span>
      </Link>
      <Confirm
        question="Are you sure you want to delete this course?"
        detail={
          <>
            <bdi>{course.title}</bdi> will be removed from the catalog and from everyone’s list. Its waitlist stays.
          </>
        }
        action="Delete Course"
        onConfirm={onDelete}
        trigger={
          <IconButton label={`Delete ${course.title}`} className="mr-1.5 text-muted hover:text-danger md:ml-1">
            <Icon name="trash" />
          </IconButton>
        }
      />
    </>
  )
}
