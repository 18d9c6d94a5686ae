import { TermsAndConditions } from '@/features/legal/terms-and-conditions'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = {
  title: 'Terms and Conditions',
  description: 'The agreement between you and Greenroom.',
}

export function Page() {
  return <TermsAndConditions />
}
