import { notify, send } from './api'
import { type Contact, encode } from './encode'
import { businessHours, byMail, replyTime } from './facts'
import { FormPage } from './form-page'
import { MessageForm } from './message-form'
import { helpSchema, limits } from './schema'
import type { FormSpec } from './use-message-form'

const spec: FormSpec<Contact> = {
  label: 'Contact',
  draft: 'contact',
  schema: helpSchema,
  blank: { name: '', email: '', subject: '', message: '' },
  fields: [
    { name: 'name', label: 'Name', half: true, autoComplete: 'name', placeholder: 'Your name' },
    { name: 'email', label: 'Email', type: 'email', half: true, autoComplete: 'email', placeholder: 'you@example.com' },
    { name: 'subject', label: 'Subject', placeholder: 'What’s it about?', limit: limits.subject },
    { name: 'message', label: 'Message', rows: 8, placeholder: 'Your message', limit: limits.message },
  ],
  button: { idle: 'Send Message', busy: 'Sending...' },
  native: true,
  missing: 'Please fill in all fields',
  send: async (values, session) => {
    await send(encode.contact(values), session)
    notify({ formType: 'contact', ...values })
  },
  sent: "Message sent successfully! We'll get back to you soon.",
  failed: 'Failed to send message. Please try again.',
}

export function ContactScreen() {
  return (
    <FormPage
      slug="networking-for-introverts-in-film-and-media"
      kicker="Company"
      title="Contact"
      lead="Questions, press, partnerships or a kind word: write to us. No account needed."
      facts={[replyTime('We reply within 24 hours'), businessHours, byMail()]}
    >
      <MessageForm spec={spec} />
    </FormPage>
  )
}
