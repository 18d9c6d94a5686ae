import { useQuery } from '@tanstack/react-query'
import { call } from '@/lib/functions'
import { clock } from '@/ui/player/clock'
import { plural, useTeachKey } from './api'
import { Badge, Part } from './parts'

type Stretch = { from_seconds: number; to_seconds: number; reached: number; seen: number }
type Audience = { watchers: number; more: boolean; parts: Stretch[] }

/** After which part the most are missing; less than 0 where hardly anybody is. */
export function steepestPart(parts: readonly Stretch[]): number {
  let worst = { index: -1, lost: 1 }
  for (const [index, { reached }] of parts.entries()) {
    const next = parts[index + 1]
    if (next && reached - next.reached > worst.lost) worst = { index, lost: reached - next.reached }
  }
  return worst.index
}

/** How far those who watch a video come, and what they leave out. */
export function WatchedPart({ lesson }: { lesson: string }) {
  const { data } = useQuery({
    queryKey: [...useTeachKey(), 'watched', lesson],
    queryFn: ({ signal }) => call<Audience>('watched', { lesson }, signal),
    staleTime: 0,
  })
  if (!data || data.watchers === 0 || data.parts.length === 0) return null
  const worst = steepestPart(data.parts)
  const percent = (count: number) => Math.round((count / data.watchers) * 100)
  return (
    <Part
      title="Where people stop"
      lead={`How many of ${data.more ? 'the first ' : ''}${plural(data.watchers, 'viewer')} came this far, and how many saw this part.`}
    >
      <ol aria-label="Parts of the video by viewers" className="grid gap-2">
        {data.parts.map(({ from_seconds, to_seconds, reached, seen }, index) => (
          <li
            key={from_seconds}
            className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-x-4 gap-y-1 sm:grid-cols-[8rem_minmax(0,1fr)_15rem]"
          >
            <span className="text-meta tabular-nums">{`${clock(from_seconds)} – ${clock(to_seconds)}`}</span>
            <svg
              aria-hidden="true"
              viewBox="0 0 100 8"
              preserveAspectRatio="none"
              className="h-2 w-full overflow-hidden rounded-full bg-surface-3"
            >
              <rect width={percent(reached)} height="8" className="fill-accent/45" />
              <rect width={percent(seen)} height="8" className="fill-accent" />
            </svg>
            <span className="flex flex-wrap items-center gap-2 text-meta text-muted tabular-nums max-sm:col-span-2 sm:justify-end">
              {index === worst && <Badge tone="gold">Most stop here</Badge>}
              {`${reached} came · ${seen} saw it`}
            </span>
          </li>
        ))}
      </ol>
    </Part>
  )
}
