import { contactMarker, prefixes } from '@/lib/inquiry'
import type { Kind, Message } from './rows'

export const kindNames: Record<Kind, string> = {
  recommendation: 'Recommendation',
  help: 'Help',
  contact: 'Contact',
  investor: 'Investor',
  sponsorship: 'Sponsorship',
}

export type Content = {
  subject: string
  name: string
  company: string
  phone: string
  /** The message itself, or all that there is where it has no labels. */
  text: string
}

const labelled = /^(Name|Company|Phone): (.*)$/

/** A message as its writer filled it in, out of the encoding that it is stored in. */
export function contentOf(message: Message): Content {
  const { kind, course_title: title, course_description: description, instructor_name: marker } = message
  const prefix = prefixes[kind]
  const content: Content = {
    subject: prefix && title.startsWith(prefix) ? title.slice(prefix.length) : title,
    name: kind === 'contact' ? (marker ?? '').replace(contactMarker, '') : '',
    company: '',
    phone: '',
    text: '',
  }
  const lines = (description ?? '').split('\n')
  if (kind === 'recommendation') return { ...content, text: description ?? '' }
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, label, value = ''] = labelled.exec(line) ?? []
    if (!label) return { ...content, text: [line.replace(/^Message: /, ''), ...lines].join('\n') }
    content[label.toLowerCase() as 'name' | 'company' | 'phone'] = value
  }
  return content
}

/** A letter back to the writer, for the mail program of who reads this. */
export function replyTo(email: string, subject: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${encodeURIComponent(`Re: ${subject}`)}`
}
