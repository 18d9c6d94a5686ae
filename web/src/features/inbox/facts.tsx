import { settings } from '@/lib/settings'
import type { Fact } from './form-page'

export const replyTime = (text: string): Fact => ({ icon: 'clock', label: 'Reply time', lines: [text] })

export const businessHours: Fact = {
  icon: 'calendar',
  label: 'Business hours',
  lines: ['Mon-Fri 9-6 PST', 'Closed at weekends'],
}

/** The way by mail, for who likes it better. */
export function byMail(): Fact {
  const { supportEmail } = settings()
  return {
    icon: 'mail',
    label: 'Email',
    lines: [
      <a
        key="mail"
        href={`mailto:${supportEmail}`}
        className="underline decoration-hairline underline-offset-4 transition-colors [overflow-wrap:anywhere] hover:text-foreground"
      >
        {supportEmail}
      </a>,
    ],
  }
}
