// What a visit remembers in this tab: the page that sign-in interrupted, what was pressed there, and the text of a
// form that was not sent yet (draft.ts). All of it goes at sign-out.

export const prefix = 'greenroom.'
const wantedKey = `${prefix}wanted`
const pressKey = `${prefix}press`

export function store(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}

/** Remembers the page to return to after sign-in, and what was pressed on it: an older press is given up. */
export function rememberWanted(path: string, press?: Press) {
  store()?.setItem(wantedKey, path)
  if (press) store()?.setItem(pressKey, `${press.button}\n${press.words}\n${Date.now()}\n${press.row}`)
  else store()?.removeItem(pressKey)
}

/** The page that sign-in interrupted, once; the home page when there was none. */
export function takeWanted(): string {
  const path = store()?.getItem(wantedKey)
  store()?.removeItem(wantedKey)
  // A path of this site and nothing else: '//host' would leave it.
  return path && /^\/(?![/\\])/.test(path) ? path : '/'
}

/**
 * What a stranger pressed that only somebody signed in can do: its button, and as words that end a sentence. A guest
 * cannot do it either where it takes an account. The same button may stand in several rows.
 */
export type Press = { button: string; words: string; takesAccount?: boolean; row?: string }

// Who signs in later than this came for something else.
const pressLasts = 15 * 60_000

export function readPress(): Press {
  const [button = '', words = '', at, row = ''] = store()?.getItem(pressKey)?.split('\n') ?? []
  return Date.now() - Number(at) < pressLasts ? { button, words, row } : { button: '', words: '' }
}

/** The press that sign-in interrupted, once. */
export function takeInterrupted(): Press {
  const press = readPress()
  store()?.removeItem(pressKey)
  return press
}

export function forgetVisit() {
  const memory = store()
  if (!memory) return
  for (const key of Object.keys(memory)) if (key.startsWith(prefix)) memory.removeItem(key)
}
