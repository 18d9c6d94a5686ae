import { useMutation, useQueryClient } from '@tanstack/react-query'
import { orThrow, rest } from '@/lib/backend'
import { toast } from '@/ui/toast'
import { refusalOr, useTeachKey } from './api'
import { Part, Switch } from './parts'
import type { Offer } from './settings-tab'

const terms = [
  ['open', 'Open for enrollment', 'When off, nobody new can enroll. Current learners keep access.'],
  ['strict', 'Watch to complete', 'A video counts as complete when it was watched, not by a button.'],
  ['certificate', 'Certificate', 'Whoever completes the course gets one. Those that were issued stay.'],
] as const

/** On which terms the course is open. */
export function TermsPart({ course, offer }: { course: string; offer: Offer }) {
  const client = useQueryClient()
  const key = [...useTeachKey(), 'lesson', `trailer of ${course}`, 'offer']
  const change = useMutation({
    mutationFn: async (values: Partial<Pick<Offer, 'open' | 'strict' | 'certificate'>>) => {
      orThrow(await (await rest()).from('course_offers').update(values).eq('id', offer.id).select('id').single())
    },
    onSuccess: (_, { open }) =>
      toast.success(open === undefined ? 'Saved' : open ? 'Enrollment is open' : 'Enrollment is closed'),
    onMutate: (values) => client.setQueryData<Offer>(key, (known) => known && { ...known, ...values }),
    onError: (error) => {
      void client.invalidateQueries({ queryKey: key })
      toast.error(refusalOr(error, 'Failed to save the change. Please try again.'))
    },
  })
  return (
    <Part title="Enrollment" lead={offer.price_cents === 0 ? 'This course is free.' : undefined}>
      <ul className="divide-y divide-hairline">
        {terms.map(([name, label, hint]) => (
          <li key={name} className="flex items-center justify-between gap-4 py-1.5">
            <span>
              <span className="block font-medium">{label}</span>
              <span className="block text-meta text-muted">{hint}</span>
            </span>
            <Switch label={label} isOn={offer[name]} onChange={(isOn) => change.mutate({ [name]: isOn })} />
          </li>
        ))}
      </ul>
    </Part>
  )
}
