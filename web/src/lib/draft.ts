// The text of a form that was not sent yet. Few pages have a form, so this is not in what every page loads.
import { prefix, store } from './memory'

const draftKey = (form: string) => `${prefix}draft.${form}`

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
