import { reader, signIn, signOut } from '@test/show'
import { act, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cancelUpload, keptUpload, type Place, pauseUpload, resumeUpload, startUpload, useUpload } from './upload'

const place: Place = { user: reader.id, course: 'course', owner: 'lesson', kind: 'video' }
const piece = 6 * 1024 * 1024

/** A server that keeps uploads in pieces, on a line that breaks after so many requests. */
const server = { length: 0, offset: 0, breaksAfter: Number.POSITIVE_INFINITY, asked: [] as string[] }

/** The browser's requests, as far as the client of the protocol uses them. */
class Wire {
  status = 0
  responseText = ''
  upload = {}
  onload = () => {}
  onerror = (_: unknown) => {}
  #method = ''
  #sent = new Map<string, string>()
  #answer = new Map<string, string>()
  open(method: string) {
    this.#method = method
  }
  setRequestHeader(name: string, value: string) {
    this.#sent.set(name.toLowerCase(), value)
  }
  getResponseHeader(name: string) {
    return this.#answer.get(name.toLowerCase()) ?? null
  }
  abort() {
    this.onload = () => {}
    this.onerror = () => {}
  }
  send(body?: Blob) {
    server.asked.push(this.#method)
    setTimeout(() => {
      if (server.asked.length > server.breaksAfter) return this.onerror(new Event('error'))
      if (this.#method === 'POST') server.length = Number(this.#sent.get('upload-length'))
      if (body) server.offset += body.size
      this.status = this.#method === 'POST' ? 201 : this.#method === 'HEAD' ? 200 : 204
      this.#answer.set('location', 'http://localhost:8080/storage/v1/upload/resumable/one')
      this.#answer.set('upload-offset', String(server.offset))
      this.#answer.set('upload-length', String(server.length))
      return this.onload()
    })
  }
}

beforeEach(() => {
  signIn()
  Object.assign(server, { length: 0, offset: 0, breaksAfter: Number.POSITIVE_INFINITY, asked: [] })
  vi.stubGlobal('XMLHttpRequest', Wire)
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
})
afterEach(() => {
  cancelUpload(place)
  signOut()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const film = (size = 2 * piece + 1) =>
  new File([new Uint8Array(size)], 'film.mp4', { type: 'video/mp4', lastModified: 7 })
const watch = () => renderHook(() => useUpload(place)).result

it('goes in pieces, is used once, and leaves nothing behind', async () => {
  const done = vi.fn(async () => undefined)
  const progress = watch()
  act(() => startUpload(place, film(), done))
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(done.mock.calls[0]).toEqual([expect.stringMatching(/^course\/lesson\/[0-9a-f-]{36}\.mp4$/), 'film.mp4'])
  expect(server.asked).toEqual(['POST', 'PATCH', 'PATCH'])
  await waitFor(() => expect(progress.current).toBeNull())
  expect(keptUpload(place)).toBeNull()
})

it('waits for a network that is gone, and goes on where it stopped', async () => {
  const done = vi.fn(async () => undefined)
  const progress = watch()
  server.breaksAfter = 1
  act(() => startUpload(place, film(), done))
  await waitFor(() => expect(progress.current?.at).toBe('offline'))
  expect(server.offset).toBe(piece)
  server.breaksAfter = Number.POSITIVE_INFINITY
  act(() => void dispatchEvent(new Event('online')))
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(server.asked.filter((method) => method === 'POST')).toHaveLength(1)
  expect(server.offset).toBe(server.length)
})

it('is kept for a day, for the same file alone', async () => {
  server.breaksAfter = 1
  act(() => startUpload(place, film(), async () => undefined))
  await waitFor(() => expect(keptUpload(place)?.url).toMatch(/\/one$/))
  const { path } = keptUpload(place) ?? {}
  act(() => pauseUpload(place))
  server.breaksAfter = Number.POSITIVE_INFINITY
  const done = vi.fn(async () => undefined)
  server.asked = []
  act(() => startUpload(place, film(), done))
  expect(keptUpload(place)?.path).toBe(path)
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(server.asked).toEqual(['HEAD', 'PATCH', 'PATCH'])
  server.breaksAfter = 0
  act(() => startUpload(place, film(piece), async () => undefined))
  expect(keptUpload(place)?.path).not.toBe(path)
  expect(keptUpload(place)).not.toBeNull()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 3_600_000)
  expect(keptUpload(place)).toBeNull()
})

it('that could not be used says why, and is not sent again for the next try', async () => {
  const done = vi.fn().mockRejectedValueOnce(new Error('This lesson is a text.')).mockResolvedValueOnce(undefined)
  const progress = watch()
  act(() => startUpload(place, film(10), done))
  await waitFor(() => expect(progress.current).toMatchObject({ at: 'failed', why: 'This lesson is a text.' }))
  act(() => resumeUpload(place))
  await waitFor(() => expect(progress.current).toBeNull())
  expect(done).toHaveBeenCalledTimes(2)
  expect(server.asked).toEqual(['POST'])
})
