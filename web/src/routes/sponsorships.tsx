import { SponsorshipsScreen } from '@/features/inbox/sponsorships-screen'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = {
  title: 'Corporate Sponsorships',
  description: 'Sponsor courses and workshops on Greenroom.',
}

export function Page() {
  return <SponsorshipsScreen />
}
