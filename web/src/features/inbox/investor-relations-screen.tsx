import type { ReactNode } from 'react'
import { notify, send } from './api'
import { encode, type Investor } from './encode'
import { byMail } from './facts'
import { FormPage, Points } from './form-page'
import { MessageForm } from './message-form'
import { investorSchema, limits } from './schema'
import type { FormSpec } from './use-message-form'

const spec: FormSpec<Investor> = {
  label: 'Investor inquiry',
  draft: 'investor',
  schema: investorSchema,
  blank: { name: '', email: '', company: '', message: '' },
  fields: [
    { name: 'name', label: 'Name', half: true, autoComplete: 'name', placeholder: 'Your name' },
    { name: 'email', label: 'Email', type: 'email', half: true, autoComplete: 'email', placeholder: 'you@example.com' },
    {
      name: 'company',
      label: 'Company',
      optional: true,
      autoComplete: 'organization',
      placeholder: 'Your firm or fund',
      limit: limits.name,
    },
    {
      name: 'message',
      label: 'Message',
      rows: 8,
      placeholder: 'What would you like to talk about?',
      limit: limits.message,
    },
  ],
  button: { idle: 'Send Inquiry', busy: 'Sending...' },
  missing: 'Please fill in all required fields',
  signIn: 'Please sign in to send an inquiry',
  send: async (values, session) => {
    await send(encode.investor(values), session)
    notify({ formType: 'investor', ...values })
  },
  sent: "Thank you for your interest! We'll be in touch soon.",
  failed: 'Failed to send inquiry. Please try again.',
}

/** `figures` are the catalogue's own. */
export function InvestorRelationsScreen({ figures }: { figures: ReactNode }) {
  return (
    <FormPage
      slug="your-first-thousand-paying-members"
      kicker="Company"
      title="Investor Relations"
      lead="Greenroom teaches the people who make what everyone watches. If you’d like to be part of where it goes next, we’d love to hear from you."
      facts={[byMail()]}
      more={
        <>
          {figures}
          <Points
            title="What happens next"
            points={[
              ['You write', 'Tell us who you are, what you invest in, and what caught your eye here.'],
              ['A person reads it', 'Every message reaches someone who can answer it, and the answer comes by email.'],
              ['We talk', 'If it looks like a fit on both sides, we set up a call and open the details.'],
            ]}
          />
        </>
      }
    >
      <MessageForm spec={spec} />
    </FormPage>
  )
}
