import { AuthClient } from '@supabase/auth-js'
import { clearOutcome, noteArrivalError, noteArrivalNews } from './arrival'
import { followGuest } from './auth-guest'
import { noteLinked } from './auth-linked'
import { providerError } from './auth-provider'
import { settings } from './settings'
import { hearWait } from './wait'

// Loaded when it is wanted: see session.ts. Everything here comes with the auth library.

type Client = InstanceType<typeof AuthClient>

function make(own: ConstructorParameters<typeof AuthClient>[0]): Client {
  const { apiKey } = settings()
  return new AuthClient({
    url: `${location.origin}/auth/v1`,
    headers: { apikey: apiKey, Authorization: `Bearer ${apiKey}` },
    flowType: 'implicit',
    experimental: { recoveryCodes: true },
    fetch: async (input, init) => hearWait(await fetch(input, init)),
    ...own,
  })
}

/** The links that confirm an address. */
const confirming = new Set(['signup', 'invite', 'email_change'])

/** The client of this visit; it has looked for a session in the address and in the storage. */
export async function openAuth(storageKey: string): Promise<Client> {
  let opened = ''
  const client = make({
    storageKey,
    detectSessionInUrl: (url, { access_token, error, error_code, error_description, type = '' }) => {
      opened = access_token ? type : '' // an address alone proves nothing
      if (access_token) noteLinked(access_token)
      const found = Boolean(access_token || error || error_code || error_description)
      // The client has read the address by now. It would clear it by adding to the history.
      if (found) clearOutcome(url)
      return found
    },
    autoRefreshToken: true,
    persistSession: true,
  })
  if (settings().guests) client.onAuthStateChange((_, session) => followGuest(session, renewGuest))
  const { error } = await client.initialize()
  if (error) noteArrivalError(providerError(codeIn(error)) || error.message)
  else if (confirming.has(opened)) noteArrivalNews('Your email is confirmed')
  return client
}

/** The code that the address gave for what went wrong. */
function codeIn(error: object): string {
  const details = 'details' in error ? (error.details as { code?: string } | null) : null
  return details?.code ?? ''
}

/** A guest's session, once it is no longer the one of this visit. */
async function renewGuest(refresh_token: string) {
  const { data, error } = await passingAuth().refreshSession({ refresh_token })
  if (error) throw error
  return data.session
}

let passing: Client | undefined

/** A client that keeps nothing and tells nobody: what it signs in is no session of this visit. */
export function passingAuth(): Client {
  passing ??= make({
    storageKey: 'sb-greenroom-passing',
    detectSessionInUrl: false,
    autoRefreshToken: false,
    persistSession: false,
  })
  return passing
}
