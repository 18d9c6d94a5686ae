import { Icon } from '@/ui/icon'
import type { Workshop } from './workshop'

export function Facts({ workshop }: { workshop: Workshop }) {
  const facts = [
    ['calendar', workshop.date_text],
    ['clock', `${workshop.time_text} · ${workshop.duration_minutes} minutes`],
    ['user', spotsText(workshop)],
  ] as const
  return (
    <ul className="mt-5 flex flex-wrap gap-x-6 gap-y-2 text-[0.9375rem] text-soft tabular-nums">
      {facts.map(([icon, text]) => (
        <li key={icon} className="inline-flex items-center gap-2">
          <Icon name={icon} className="size-4.5 text-gold" />
          {text}
        </li>
      ))}
    </ul>
  )
}

function spotsText({ spots, spots_left: left }: Workshop): string {
  if (left <= 0) return `All ${spots} spots taken – join the waitlist`
  if (left === spots) return `Only ${spots} spots`
  return left === 1 ? `Only 1 of ${spots} spots left` : `Only ${left} of ${spots} spots left`
}
