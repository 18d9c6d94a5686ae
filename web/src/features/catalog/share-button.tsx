import type { ComponentProps } from 'react'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'

export function ShareButton(props: ComponentProps<typeof Button>) {
  return (
    <Button look="glass" size="large" {...props}>
      <Icon name="share" />
      Share
    </Button>
  )
}
