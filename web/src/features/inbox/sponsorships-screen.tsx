import type { ReactNode } from 'react'
import { notify, send } from './api'
import { encode, type Sponsorship } from './encode'
import { byMail } from './facts'
import { FormPage, Points } from './form-page'
import { MessageForm } from './message-form'
import { limits, sponsorshipSchema } from './schema'
import type { FormSpec } from './use-message-form'

const spec: FormSpec<Sponsorship> = {
  label: 'Sponsorship inquiry',
  draft: 'sponsorship',
  schema: sponsorshipSchema,
  blank: { company: '', name: '', email: '', phone: '', message: '' },
  fields: [
    { name: 'company', label: 'Company', half: true, autoComplete: 'organization', placeholder: 'Company name' },
    { name: 'name', label: 'Contact Name', half: true, autoComplete: 'name', placeholder: 'Who should we talk to?' },
    { name: 'email', label: 'Email', type: 'email', half: true, autoComplete: 'email', placeholder: 'you@example.com' },
    {
      name: 'phone',
      label: 'Phone',
      type: 'tel',
      half: true,
      optional: true,
      autoComplete: 'tel',
      placeholder: '+1 555 0100',
    },
    {
      name: 'message',
      label: 'Message',
      rows: 8,
      placeholder: 'What would you like to make possible?',
      limit: limits.message,
    },
  ],
  button: { idle: 'Send Inquiry', busy: 'Sending...' },
  missing: 'Please fill in all required fields',
  signIn: 'Please sign in to send a sponsorship inquiry',
  send: async (values, session) => {
    await send(encode.sponsorship(values), session)
    notify({ formType: 'sponsorship', ...values })
  },
  sent: 'Thank you for your interest! Our team will contact you shortly.',
  failed: 'Failed to send inquiry. Please try again.',
}

/** `figures` are the catalogue's own. */
export function SponsorshipsScreen({ figures }: { figures: ReactNode }) {
  return (
    <FormPage
      slug="brand-deals-without-an-agent"
      kicker="Company"
      title="Corporate Sponsorships"
      lead="Put your name behind a course, a workshop or a scholarship, and in front of the people who create for a living."
      facts={[byMail()]}
      more={
        <>
          {figures}
          <Points
            title="Ways to take part"
            points={[
              [
                'A course',
                'Stand behind a subject you know, from lighting to launch weeks, and help it reach its people.',
              ],
              ['The live workshop', 'A small group and a working host, live. Your name opens it.'],
              ['A scholarship', 'Give a seat to someone who has the talent but not the tuition.'],
            ]}
          />
        </>
      }
    >
      <MessageForm spec={spec} />
    </FormPage>
  )
}
