import { settings } from './settings'

// A security key or a passkey answers for one site alone: for its name, and never for an IP address.

const isAddress = (host: string) => /^[\d.]+$|:/.test(host)

/** Whether keys can be used here: in this browser, and at the address that the site calls its own. */
export const keysWork = () =>
  typeof PublicKeyCredential !== 'undefined' &&
  settings().siteUrl.startsWith(location.origin) &&
  !isAddress(location.hostname)

const nameOf = (error: unknown) => (error as { name?: string } | null)?.name ?? ''

/** Whether the person closed the browser's question, or let it pass. */
export const isCancelled = (error: unknown) => ['NotAllowedError', 'AbortError'].includes(nameOf(error))

export const isKnownKey = (error: unknown) => nameOf(error) === 'InvalidStateError'
