import { useNavigate } from 'react-router'
import { rememberWanted } from '@/lib/memory'
import { Button } from '@/ui/button'

const toKeepIt = 'Create an account to keep your list. What you saved goes with you.'

/** The way from a guest to an account; the list goes along. */
export function TakeAccount({ lead = toKeepIt, className = '' }: { lead?: string; className?: string }) {
  const navigate = useNavigate()
  const go = (mode: string) => {
    rememberWanted('/my-list')
    void navigate('/auth', { state: { mode } })
  }
  return (
    <div className={className}>
      <p className="text-muted">{lead}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button look="accent" onClick={() => go('sign-up')}>
          Create an account
        </Button>
        <Button onClick={() => go('sign-in')}>I have an account</Button>
      </div>
    </div>
  )
}
