import { useMutation } from '@tanstack/react-query'
import { advice } from '@/lib/auth-call'
import { BackendError, fetchAsCaller } from '@/lib/backend'
import { save } from '@/lib/download'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { Section } from '@/ui/section'
import { toast } from '@/ui/toast'

async function download() {
  const answer = await fetchAsCaller(`${location.origin}/functions/v1/my-data`)
  if (!answer.ok)
    throw new BackendError('my-data', answer.status, answer.status === 429 ? 'over_request_rate_limit' : undefined)
  save(await answer.blob(), 'greenroom-my-data.json')
}

/** All that is stored about a person, for them to keep. */
export function DataSection() {
  const saving = useMutation({
    mutationFn: download,
    onSuccess: () => toast.success('Your data was downloaded'),
    onError: (error) => toast.error('Failed to download your data', advice(error)),
  })
  return (
    <Section
      title="Your data"
      lead="Everything we store about you in one file (JSON): your account, lists, messages, devices and emails."
    >
      <Button disabled={saving.isPending} onClick={() => saving.mutate()}>
        <Icon name="download" />
        {saving.isPending ? 'Collecting...' : 'Download my data'}
      </Button>
    </Section>
  )
}
