import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { useLater } from '@/lib/later'
import { type CourseSummary, gelOf } from './api'

const loadArtwork = () => import('./artwork/artwork').then((module) => module.Artwork)

type StillProps = {
  course: Pick<CourseSummary, 'id' | 'category' | 'thumbnail'>
  /** The picture that a page opens with is fetched first; the others when they come near. */
  first?: boolean
  className?: string
}

/** The picture of a course; drawn artwork in its category's light where there is none. */
export function Still({ course, first = false, className }: StillProps) {
  const [Artwork, bring] = useLater(loadArtwork)
  const image = useRef<HTMLImageElement>(null)
  const [failed, setFailed] = useState('')
  const source = course.thumbnail
  const broken = source === '' || failed === source

  // The picture may have failed before the script was there to hear of it.
  useEffect(() => {
    const element = image.current
    if (element?.complete && element.naturalWidth === 0) setFailed(source)
  }, [source])

  useEffect(() => {
    if (broken) void bring()
  }, [broken, bring])

  return (
    <div data-gel={gelOf(course.category)} className={clsx('still-ground relative overflow-hidden', className)}>
      {broken ? (
        Artwork && <Artwork id={course.id} gel={gelOf(course.category)} />
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
