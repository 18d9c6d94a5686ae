import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { DetailedError, Upload as Tus } from 'tus-js-client'
import { accessToken } from '@/lib/session'
import { settings } from '@/lib/settings'

// Uploads outlive the screen that began them, and a reload: what has arrived stays on the server for a day, and where it
// is stands in the browser's store. They wait for a network that is gone, and go on where they stopped.

export type Place = {
  user: string
  course: string
  /** A lesson, or the trailer. */
  owner: string
  kind: 'video' | 'file'
}

export type Progress = {
  at: 'sending' | 'paused' | 'offline' | 'failed' | 'finishing'
  name: string
  size: number
  sent: number
  why: string
}

type Kept = {
  name: string
  size: number
  modified: number
  type: string
  url: string
  path: string
  sent: number
  begun: number
}

/** Uses what has arrived: makes it the video of a lesson, or one of its files. */
type Done = (path: string, name: string) => Promise<unknown>

type Running = {
  progress: Progress
  tus: Tus | null
  kept: Kept
  done: Done
  again: ReturnType<typeof setTimeout> | undefined
  tries: number
}

const day = 24 * 3_600_000
const chunk = 6 * 1024 * 1024
const running = new Map<string, Running>()
const listeners = new Set<() => void>()

const nameOf = ({ user, course, owner, kind }: Place) => `greenroom.upload.${user}.${course}/${owner}.${kind}`

function tell() {
  for (const listener of listeners) listener()
}

function keep(name: string, kept: Kept | null) {
  try {
    if (kept) localStorage.setItem(name, JSON.stringify(kept))
    else localStorage.removeItem(name)
  } catch {}
}

/** What an earlier visit began and did not end, while the server still has it. */
export function keptUpload(place: Place): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(nameOf(place)) ?? 'null') as Kept | null
    return kept && Date.now() - kept.begun < day ? kept : null
  } catch {
    return null
  }
}

const isSame = (kept: Kept, file: File) =>
  kept.name === file.name && kept.size === file.size && kept.modified === file.lastModified

const ending = (name: string) => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? 'bin'

const types: Record<string, string> = {
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  md: 'text/markdown',
  m4v: 'video/mp4',
}

function begin(place: Place, file: File): Kept {
  const known = keptUpload(place)
  if (known && isSame(known, file)) return known
  return {
    name: file.name,
    size: file.size,
    modified: file.lastModified,
    type: file.type || types[ending(file.name)] || 'application/octet-stream',
    url: '',
    path: `${place.course}/${place.owner}/${crypto.randomUUID()}.${ending(file.name)}`,
    sent: 0,
    begun: Date.now(),
  }
}

/** A refusal as a sentence: the server writes some, and codes for the rest. */
function reasonOf(error: Error | DetailedError): { why: string; mayPass: boolean } {
  const answer = 'originalResponse' in error ? error.originalResponse : null
  const status = answer?.getStatus() ?? 0
  const mayPass = status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
  const known: Record<number, string> = {
    401: 'Your session has ended. Sign in again, then choose the same file to go on.',
    403: 'You may not upload to this course.',
    413: 'This file is larger than the server takes.',
    415: 'Files of this type are not taken here.',
    507: 'The server has no room for this file.',
  }
  return { why: known[status] ?? 'The server did not take this file.', mayPass: mayPass && status !== 507 }
}

const retries = [1000, 3000, 8000, 20_000]

async function send(name: string, file: File, one: Running) {
  const { Upload } = await import('tus-js-client')
  if (running.get(name) !== one) return
  const { apiKey } = settings()
  const become = (change: Partial<Progress>) => {
    if (running.get(name) !== one) return
    one.progress = { ...one.progress, ...change }
    tell()
  }
  const tus = new Upload(file, {
    endpoint: `${location.origin}/storage/v1/upload/resumable`,
    ...(one.kept.url ? { uploadUrl: one.kept.url } : {}),
    metadata: { bucketName: 'lessons', objectName: one.kept.path, contentType: one.kept.type },
    headers: { apikey: apiKey },
    chunkSize: chunk,
    uploadDataDuringCreation: true,
    storeFingerprintForResuming: false,
    retryDelays: null,
    // A long upload outlives a token.
    onBeforeRequest: async (request) => {
      request.setHeader('Authorization', `Bearer ${(await accessToken()) ?? apiKey}`)
    },
    onUploadUrlAvailable: () => {
      one.kept = { ...one.kept, url: tus.url ?? '' }
      keep(name, one.kept)
    },
    onProgress: (sent) => become({ at: 'sending', sent, why: '' }),
    onChunkComplete: (_, sent) => {
      one.tries = 0
      one.kept = { ...one.kept, sent }
      keep(name, one.kept)
    },
    onSuccess: () => void finish(name, one),
    onError: (error) => {
      const { why, mayPass } = reasonOf(error)
      if (!mayPass) return become({ at: 'failed', why })
      become({ at: 'offline' })
      clearTimeout(one.again)
      one.again = setTimeout(() => wake(one), retries[Math.min(one.tries, retries.length - 1)])
      one.tries += 1
    },
  })
  one.tus = tus
  tus.start()
}

/** Tries again what waits for the network. */
function wake(one: Running) {
  clearTimeout(one.again)
  if (one.progress.at === 'offline') one.tus?.start()
}

async function finish(name: string, one: Running) {
  one.kept = { ...one.kept, sent: one.kept.size }
  keep(name, one.kept)
  one.progress = { ...one.progress, at: 'finishing', sent: one.progress.size, why: '' }
  tell()
  try {
    await one.done(one.kept.path, one.kept.name)
    keep(name, null)
    running.delete(name)
  } catch (error) {
    one.progress = { ...one.progress, at: 'failed', why: error instanceof Error ? error.message : '' }
  }
  tell()
}

/** Begins an upload, or goes on with the one of the same file that was interrupted. */
export function startUpload(place: Place, file: File, done: Done) {
  const name = nameOf(place)
  void running.get(name)?.tus?.abort()
  const kept = begin(place, file)
  const progress: Progress = { at: 'sending', name: file.name, size: file.size, sent: kept.sent, why: '' }
  const one: Running = { progress, tus: null, kept, done, again: undefined, tries: 0 }
  running.set(name, one)
  keep(name, kept)
  tell()
  send(name, file, one).catch(() => {
    one.progress = { ...one.progress, at: 'failed', why: 'The upload could not begin. Please try again.' }
    tell()
  })
}

export function pauseUpload(place: Place) {
  const one = running.get(nameOf(place))
  if (!one) return
  clearTimeout(one.again)
  void one.tus?.abort()
  one.progress = { ...one.progress, at: 'paused' }
  tell()
}

export function resumeUpload(place: Place) {
  const name = nameOf(place)
  const one = running.get(name)
  if (!one) return
  const isThere = one.kept.sent === one.kept.size
  one.progress = { ...one.progress, at: isThere ? 'finishing' : 'sending', why: '' }
  tell()
  if (isThere) void finish(name, one)
  else one.tus?.start()
}

/** Ends an upload and gives its room back. */
export function cancelUpload(place: Place) {
  const name = nameOf(place)
  const one = running.get(name)
  const url = one?.kept.url ?? keptUpload(place)?.url
  clearTimeout(one?.again)
  running.delete(name)
  keep(name, null)
  tell()
  void forget(one?.tus ?? null, url)
}

async function forget(tus: Tus | null, url: string | undefined) {
  await tus?.abort()
  if (!url) return
  const { apiKey } = settings()
  const headers = {
    apikey: apiKey,
    Authorization: `Bearer ${(await accessToken()) ?? apiKey}`,
    'Tus-Resumable': '1.0.0',
  }
  // What cannot be ended now ends by itself within a day.
  await fetch(url, { method: 'DELETE', headers }).catch(() => undefined)
}

// The page renderer has no window.
globalThis.addEventListener?.('online', () => {
  for (const one of running.values()) wake(one)
})

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** How far an upload is; null when there is none. The page asks before it goes while something is being sent. */
export function useUpload(place: Place): Progress | null {
  const name = nameOf(place)
  const progress = useSyncExternalStore(
    subscribe,
    useCallback(() => running.get(name)?.progress ?? null, [name]),
    () => null,
  )
  const isSending = progress !== null && progress.at !== 'failed'
  useEffect(() => {
    if (!isSending) return
    const unload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', unload)
    return () => removeEventListener('beforeunload', unload)
  }, [isSending])
  return progress
}
