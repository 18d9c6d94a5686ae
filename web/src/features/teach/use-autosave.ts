import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '@/lib/functions'
import { Autosave } from './autosave'
import { readWorkpiece, type Workpiece } from './lesson-api'

/** The text of a lesson, from when it is opened until it is left: what the server says of it later changes nothing here. */
export function useAutosave({ lesson, draft_body, draft_version }: Workpiece) {
  const [save] = useState(
    () =>
      new Autosave(
        lesson.id,
        { body: draft_body, version: draft_version },
        {
          send: async (body, version) =>
            (await call<{ draft_version: number }>('save-draft', { lesson: lesson.id, body, draft_version: version }))
              .draft_version,
          read: async () => {
            const now = await readWorkpiece(lesson.id)
            return { body: now.draft_body, version: now.draft_version }
          },
        },
      ),
  )
  const state = useSyncExternalStore(save.subscribe, () => save.state)
  const text = useSyncExternalStore(save.subscribe, () => save.text)
  useEffect(() => {
    const now = () => void save.flush()
    addEventListener('online', now)
    addEventListener('pagehide', now)
    return () => {
      removeEventListener('online', now)
      removeEventListener('pagehide', now)
      void save.flush()
    }
  }, [save])
  return { save, state, text }
}
