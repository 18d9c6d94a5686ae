// What a visit remembers in this tab: the page that sign-in interrupted, what was pressed there, and the text of a
// form that was not sent yet. All of it goes at sign-out.

const prefix = 'greenroom.'
const wantedKey = `${prefix}wanted`
const pressKey = `${prefix}press`
const draftKey = (form: string) => `${prefix}draft.${form}`

function store(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}

/** Remembers the page to return to after sign-in, and what was pressed on it: an older press is given up. */
export function rememberWanted(path: string, press?: Press) {
  store()?.setItem(wantedKey, path)
  if (press) store()?.setItem(pressKey, `${press.button}\n${press.words}\n${Date.now()}`)
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
 * cannot do it either where it takes an account.
 */
export type Press = { button: string; words: string; takesAccount?: boolean }

// Who signs in later than this came for something else.
const pressLasts = 15 * 60_000

export function readPress(): Press {
  const [button = '', words = '', at] = store()?.getItem(pressKey)?.split('\n') ?? []
  return Date.now() - Number(at) < pressLasts ? { button, words } : { button: '', words: '' }
}

/** The button that sign-in interrupted, once. */
export function takeInterrupted(): string {
  const { button } = readPress()
  store()?.removeItem(pressKey)
  return button
}

export function saveDraft(form: string, values: unknown) {
  store()?.setItem(draftKey(form), JSON.stringify(values))
}

export function readDraft(form: string): unknown {
  const text = store()?.getItem(draftKey(form))
  if (!text) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function clearDraft(form: string) {
  store()?.removeItem(draftKey(form))
}

export function forgetVisit() {
  const memory = store()
  if (!memory) return
  for (const key of Object.keys(memory)) if (key.startsWith(prefix)) memory.removeItem(key)
}
