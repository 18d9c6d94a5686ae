import { useState } from 'react'
import { clearDraft, readDraft, saveDraft } from '@/lib/draft'

/** Words that stay in this tab until they are saved, through failures, tabs and reloads. */
export function useKept<Words>(name: string, initial: Words) {
  const [words, setWords] = useState<Words>(() => (readDraft(name) as Words | null) ?? initial)
  return {
    words,
    write: (next: Words) => {
      setWords(next)
      saveDraft(name, next)
    },
    forget: () => {
      clearDraft(name)
      setWords(initial)
    },
  }
}

/** Whether something was written here and not saved yet. */
export const hasKept = (name: string) => readDraft(name) !== null
