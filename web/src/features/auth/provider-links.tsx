import { rememberTrip } from '@/lib/auth-linked'
import { providerName } from '@/lib/auth-provider'
import { settings } from '@/lib/settings'
import { Button } from '@/ui/button'
import { ProviderMark } from '@/ui/provider-mark'

/** Where a provider is asked; it sends the visitor back to this screen, which may ask for a second step. */
function addressOf(provider: string): string {
  const back = encodeURIComponent(`${settings().siteUrl}/auth`)
  return `/auth/v1/authorize?provider=${encodeURIComponent(provider)}&redirect_to=${back}`
}

/** The places elsewhere that this installation knows people by. Links, so that they work before the app has started. */
export function ProviderLinks() {
  return settings().providers.map((provider) => (
    <Button key={provider} asChild size="large">
      <a href={addressOf(provider)} onClick={rememberTrip}>
        <ProviderMark provider={provider} />
        Continue with {providerName(provider)}
      </a>
    </Button>
  ))
}
