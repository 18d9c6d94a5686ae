import { clsx } from 'clsx'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useHydrated } from '@/lib/hydrated'
import { type CourseSummary, gelOf } from './api'

const Artwork = lazy(() => import('./artwork/artwork').then((module) => ({ default: module.Artwork })))

type StillProps = {
  course: Pick<CourseSummary, 'id' | 'category' | 'thumbnail'>
  /** The picture that a page opens with is fetched first; the others when they come near. */
  first?: boolean
  className?: string
}

/** The picture of a course; drawn artwork in its category's light where there is none. */
export function Still({ course, first = false, className }: StillProps) {
  const hydrated = useHydrated()
  const image = useRef<HTMLImageElement>(null)
  const [failed, setFailed] = useState('')
  const source = course.thumbnail
  const broken = source === '' || failed === source

  // The picture may have failed before the script was there to hear of it.
  useEffect(() => {
    const element = image.current
    if (element?.complete && element.naturalWidth === 0) setFailed(source)
  }, [source])

  return (
    <div data-gel={gelOf(course.category)} className={clsx('still-ground relative overflow-hidden', className)}>
      {broken ? (
        hydrated && (
          <Suspense>
            <Artwork id={course.id} gel={gelOf(course.category)} />
          </Suspense>
        )
      ) : (
        <img
          ref={image}
          src={source}
          alt=""
          width={1280}
          height={720}
          loading={first ? 'eager' : 'lazy'}
          {...(first ? { fetchPriority: 'high' as const } : {})}
          decoding="async"
          onError={() => setFailed(source)}
          className="size-full object-cover"
        />
      )}
    </div>
  )
}
