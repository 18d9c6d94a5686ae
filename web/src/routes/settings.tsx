import { SettingsScreen } from '@/features/account/settings-screen'
import { SecondStep } from '@/features/factor/second-step'
import { FactorSection } from '@/features/factor/section'

export function Page() {
  return (
    <SettingsScreen
      secondStep={(props) => <SecondStep {...props} />}
      factors={(session) => <FactorSection session={session} />}
    />
  )
}
