import { PrivacyPolicy } from '@/features/legal/privacy-policy'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = {
  title: 'Privacy Policy',
  description: 'What Greenroom stores about you, why, and what you can do about it.',
}

export function Page() {
  return <PrivacyPolicy />
}
