import { ContactScreen } from '@/features/inbox/contact-screen'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = { title: 'Contact', description: 'Write to us. We reply within 24 hours.' }

export function Page() {
  return <ContactScreen />
}
