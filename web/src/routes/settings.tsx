import { SettingsScreen } from '@/features/account/settings-screen'
import { SecondStep } from '@/features/factor/second-step'
import { FactorSection } from '@/features/factor/section'
import { PasskeySection } from '@/features/passkey/section'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = {
  title: 'Settings',
  description: 'Your password, passkeys, two-step verification and devices.',
  robots: 'noindex',
}

export function Page() {
  return (
    <SettingsScreen
      SecondStep={SecondStep}
      passkeys={(session) => <PasskeySection session={session} />}
      factors={(session, first) => <FactorSection session={session} first={first} />}
    />
  )
}
