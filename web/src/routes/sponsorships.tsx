import { SponsorshipsScreen } from '@/features/inbox/sponsorships-screen'
import type { HeadFacts } from '@/lib/head'
import { Figures, figures } from './parts/figures'

export const head: HeadFacts = {
  title: 'Corporate Sponsorships',
  description: 'Sponsor courses and workshops on Greenroom.',
}

export const plan = () => figures

export function Page() {
  return <SponsorshipsScreen figures={<Figures />} />
}
