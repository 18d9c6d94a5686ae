import { TermsAndConditions } from '@/features/legal/terms-and-conditions'

export function Page() {
  return <TermsAndConditions />
}
