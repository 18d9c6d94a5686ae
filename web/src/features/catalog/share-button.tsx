import type { ComponentProps } from 'react'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icon'

export function ShareButton(props: ComponentProps<typeof Button>) {
  return (
    <Button look="glass" size="large" {...props}>
      <Icon name="share" />
      Share
    </Button>
  )
}
