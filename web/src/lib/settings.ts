/** What the server tells every page about this installation. */
export type Settings = {
  apiKey: string
  siteUrl: string
  supportEmail: string
  social: { instagram: string; youtube: string; x: string; linkedin: string }
  confirmEmail: boolean
  providers: string[]
  /** Whether browsers have passkeys for this site. */
  passkeys: boolean
  /** Whether the operator offers to sign in by a mailed code, and to come in as a guest. */
  emailSignIn: boolean
  guests: boolean
}

type Injected = { settings: Settings; state: unknown }

let injected: Injected | undefined

/** Hands the settings over by code instead of the page: the server's renderer and the tests do. */
export function provideSettings(settings: Settings) {
  injected = { settings, state: null }
}

/** What the server wrote into the page, read once. */
export function fromPage(): Injected {
  if (!injected) {
    const text = document.getElementById('greenroom')?.textContent
    if (!text) throw new Error('The page carries no settings.')
    injected = JSON.parse(text) as Injected
  }
  return injected
}

export const settings = (): Settings => fromPage().settings
