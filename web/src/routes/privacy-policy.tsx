import { PrivacyPolicy } from '@/features/legal/privacy-policy'

export function Page() {
  return <PrivacyPolicy />
}
