import { useState } from 'react'
import { useDebounced } from '@/lib/debounced'
import { Badge } from './parts'

type Shown = {
  title: string
  instructor: string
  category: string
  thumbnail: string
  level: string
  rating: string
  coming_soon: boolean
}

/** The course as a learner will see its card, picture first. */
export function Preview({ course }: { course: Shown }) {
  // The beginnings of an address that is being typed are not asked for.
  const address = useDebounced(course.thumbnail, 400)
  return (
    <figure className="self-start overflow-hidden rounded-card border border-hairline bg-surface-1 max-lg:max-w-80">
      <Picture key={address} address={address} />
      <figcaption className="grid gap-1 p-4">
        <span className="kicker text-faint">{course.category}</span>
        <bdi className="font-medium [overflow-wrap:anywhere]">{course.title || 'Title'}</bdi>
        <span className="text-meta text-muted [overflow-wrap:anywhere]">
          <bdi>{course.instructor || 'Instructor'}</bdi> · {course.level} · {course.rating || '–'}
        </span>
        {course.coming_soon && (
          <span className="mt-1">
            <Badge tone="gold">Coming soon</Badge>
          </span>
        )}
      </figcaption>
    </figure>
  )
}

function Picture({ address }: { address: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  const known = /^(https:\/\/|\/(?!\/))/.test(address)
  const words = { loading: 'Loading the picture…', shown: '', broken: 'This picture cannot be loaded.' }[state]
  return (
    <div className="relative aspect-video bg-surface-2">
      <p
        role="status"
        className="absolute inset-0 flex items-center justify-center px-6 text-center text-meta text-muted"
      >
        {known ? words : 'The picture appears here.'}
      </p>
      {known && state !== 'broken' && (
        <img
          src={address}
          alt="Thumbnail preview"
          onLoad={() => setState('shown')}
          onError={() => setState('broken')}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </div>
  )
}
