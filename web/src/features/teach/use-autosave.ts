import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '@/lib/functions'
import { Autosave, type Version, type Wire } from './autosave'
import { readWorkpiece, type Workpiece } from './lesson-api'

const wireOf = (lesson: string): Wire => ({
  send: async (body, version) =>
    (await call<{ draft_version: number }>('save-draft', { lesson, body, draft_version: version })).draft_version,
  read: async () => {
    const now = await readWorkpiece(lesson)
    return { body: now.draft_body, version: now.draft_version }
  },
})

export const useAutosave = ({ lesson, draft_body, draft_version }: Workpiece) =>
  useSaving(lesson.id, { body: draft_body, version: draft_version }, wireOf)

/** What is written, from when it is opened until it is left: what the server says of it later changes nothing here. */
export function useSaving(lesson: string, server: Version, wire: (lesson: string) => Wire) {
  const [save] = useState(() => new Autosave(lesson, server, wire(lesson)))
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
