import { notify, send } from './api'
import { encode, type Help } from './encode'
import { businessHours, byMail, replyTime } from './facts'
import { FormPage } from './form-page'
import { MessageForm } from './message-form'
import { helpSchema, limits } from './schema'
import type { FormSpec } from './use-message-form'

const spec: FormSpec<Help> = {
  label: 'Help request',
  draft: 'help',
  schema: helpSchema,
  blank: { name: '', email: '', subject: '', message: '' },
  fields: [
    { name: 'name', label: 'Name', half: true, autoComplete: 'name', placeholder: 'Your name' },
    { name: 'email', label: 'Email', type: 'email', half: true, autoComplete: 'email', placeholder: 'you@example.com' },
    { name: 'subject', label: 'Subject', placeholder: 'What’s it about?', limit: limits.subject },
    {
      name: 'message',
      label: 'Message',
      rows: 8,
      placeholder: 'What did you do, what happened, and what did you expect?',
      limit: limits.message,
    },
  ],
  button: { idle: 'Send Message', busy: 'Sending...' },
  missing: 'Please fill in all fields',
  signIn: 'Please sign in to send a message',
  send: async (values, session) => {
    await send(encode.help(values), session)
    notify({ formType: 'help', ...values })
  },
  sent: "Message sent successfully! We'll get back to you soon.",
  failed: 'Failed to send message. Please try again.',
}

export function HelpCenterScreen() {
  return (
    <FormPage
      slug="podcasting-end-to-end"
      kicker="Support"
      title="Help Center"
      lead="Something not working, or not clear? Tell us about it. A real person reads every message."
      facts={[replyTime('We reply within 24-48 hours'), businessHours, byMail()]}
    >
      <MessageForm spec={spec} />
    </FormPage>
  )
}
