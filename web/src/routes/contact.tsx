import { ContactScreen } from '@/features/inbox/contact-screen'

export function Page() {
  return <ContactScreen />
}
