import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { useLater } from '@/lib/later'
import { Picture, slugOf, widthsOf } from '@/ui/picture'
import { type CourseSummary, gelOf } from './api'

const loadArtwork = () => import('./artwork/artwork').then((module) => module.Artwork)

const inFrame =
  'size-full object-cover transition-transform duration-300 ease-out motion-safe:group-hover/card:scale-[1.035]'

const onCard = '(max-width: 639px) 66vw, 300px'

type StillProps = {
  course: Pick<CourseSummary, 'id' | 'category' | 'thumbnail'>
  /** The picture that a page opens with is fetched first; the others when they come near. */
  first?: boolean
  sizes?: string
  className?: string
}

/** The addresses to try: the course's own picture, then its category's. */
function sourcesOf({ thumbnail, category }: StillProps['course']): string[] {
  const ofCategory = `/art/${gelOf(category)}.webp`
  return [thumbnail, slugOf(ofCategory) && ofCategory].filter((source) => source !== '')
}

/** A picture that was uploaded here is there in our widths; another's is as it is. */
const isOurs = (address: string) => /^\/storage\/v1\/object\/public\/artwork\/courses\/.+\/1280\.jpg$/.test(address)

/** The picture of a course, else of its category; drawn artwork in the category's light where there is none. */
export function Still({ course, first = false, sizes = onCard, className }: StillProps) {
  const [Artwork, bring] = useLater(loadArtwork)
  const image = useRef<HTMLImageElement>(null)
  const [failed, setFailed] = useState<readonly string[]>([])
  const source = sourcesOf(course).find((address) => !failed.includes(address)) ?? ''
  const fail = () => setFailed((before) => [...before, source])

  // The picture may have failed before the script was there to hear of it.
  useEffect(() => {
    const element = image.current
    if (element?.complete && element.naturalWidth === 0) setFailed((before) => [...before, source])
  }, [source])

  useEffect(() => {
    if (source === '') void bring()
  }, [source, bring])

  const slug = slugOf(source)
  return (
    <div data-gel={gelOf(course.category)} className={clsx('still-ground relative overflow-hidden', className)}>
      {source === '' ? (
        Artwork && <Artwork id={course.id} gel={gelOf(course.category)} />
      ) : slug ? (
        <Picture key={slug} slug={slug} sizes={sizes} first={first} image={image} onError={fail} className={inFrame} />
      ) : (
        <img
          ref={image}
          srcSet={isOurs(source) ? widthsOf(source.slice(0, -8), '.jpg') : undefined}
          sizes={sizes}
          src={source}
          alt=""
          width={1280}
          height={720}
          loading={first ? 'eager' : 'lazy'}
          {...(first ? { fetchPriority: 'high' as const } : {})}
          decoding="async"
          onError={fail}
          className={inFrame}
        />
      )}
    </div>
  )
}
