import { plural } from './api'
import { type Stage, useFunnel } from './learners-api'
import { Badge, Part } from './parts'

/** Where most learners stop: the lesson after which the most of them are missing. */
export function steepest(stages: readonly Stage[]): string {
  let worst = { id: '', lost: 1 }
  for (const [index, stage] of stages.entries()) {
    const next = stages[index + 1]
    const lost = next ? stage.reached - next.reached : 0
    if (lost > worst.lost) worst = { id: stage.id, lost }
  }
  return worst.id
}

/** How far learners come, lesson by lesson. */
export function Funnel({ course }: { course: string }) {
  const { data } = useFunnel(course)
  if (!data || data.learners === 0 || data.lessons.length === 0) return null
  const worst = steepest(data.lessons)
  const percent = (count: number) => Math.round((count / data.learners) * 100)
  return (
    <Part
      title="Where learners are"
      lead={`How many of ${plural(data.learners, 'learner')} came this far, or further.`}
    >
      <ol aria-label="Lessons by learners" className="grid gap-3">
        {data.lessons.map((stage) => (
          <li
            key={stage.id}
            className="grid gap-x-6 gap-y-1 sm:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_9rem] sm:items-center"
          >
            <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <bdi className="min-w-0 wrap-anywhere">{stage.title}</bdi>
              {stage.id === worst && <Badge tone="gold">Most stop here</Badge>}
            </span>
            <svg
              aria-hidden="true"
              viewBox="0 0 100 8"
              preserveAspectRatio="none"
              className="h-2 w-full overflow-hidden rounded-full bg-surface-3"
            >
              <rect width={percent(stage.reached)} height="8" className="fill-accent/45" />
              <rect width={percent(stage.completed)} height="8" className="fill-accent" />
            </svg>
            <span className="text-meta text-muted tabular-nums sm:text-right">
              {`${stage.reached} came · ${stage.completed} done`}
            </span>
          </li>
        ))}
      </ol>
    </Part>
  )
}
