import { providerName } from '@/lib/auth-provider'
import { rememberTrip } from '@/lib/memory'
import { settings } from '@/lib/settings'
import { Button } from '@/ui/button'
import { ProviderMark } from '@/ui/provider-mark'

/** Where a provider is asked; it sends the visitor back to this screen, which may ask for a second step. */
function addressOf(provider: string): string {
  const back = encodeURIComponent(`${settings().siteUrl}/auth`)
  return `/auth/v1/authorize?provider=${encodeURIComponent(provider)}&redirect_to=${back}`
}

/** The other ways in that this installation has. Links, so that they work before the app has started. */
export function ProviderLinks() {
  const { providers } = settings()
  if (providers.length === 0) return null
  return (
    <div className="mt-6 grid gap-3">
      <p className="flex items-center gap-3 text-meta text-muted">
        <span className="h-px flex-1 bg-hairline" />
        or
        <span className="h-px flex-1 bg-hairline" />
      </p>
      {providers.map((provider) => (
        <Button key={provider} asChild size="large">
          <a href={addressOf(provider)} onClick={rememberTrip}>
            <ProviderMark provider={provider} />
            Continue with {providerName(provider)}
          </a>
        </Button>
      ))}
    </div>
  )
}
