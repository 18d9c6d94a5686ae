import { SponsorshipsScreen } from '@/features/inbox/sponsorships-screen'

export function Page() {
  return <SponsorshipsScreen />
}
