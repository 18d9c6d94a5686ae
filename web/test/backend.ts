import { vi } from 'vitest'

// The network as a fake: the data API's answers by method and table. Everything on this side of
// `fetch`, the official client included, is real.

export type Call = { method: string; table: string; query: URLSearchParams; body: unknown; headers: Headers }
type Reply = { status?: number; body?: unknown; total?: number; wait?: number } | 'no network'

export function fakeBackend(answer: (call: Call) => Reply | Promise<Reply>) {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const url = new URL(String(input))
    const call: Call = {
      method: init.method ?? 'GET',
      table: url.pathname.replace('/rest/v1/', ''),
      query: url.searchParams,
      body: init.body ? JSON.parse(String(init.body)) : null,
      headers: new Headers(init.headers),
    }
    calls.push(call)
    const reply = await answer(call)
    if (reply === 'no network') throw new TypeError('Failed to fetch')
    const headers = new Headers({ 'content-type': 'application/json' })
    if (reply.total !== undefined) headers.set('content-range', `0-0/${reply.total}`)
    if (reply.wait !== undefined) headers.set('retry-after', String(reply.wait))
    const status = reply.status ?? (call.method === 'GET' ? 200 : call.method === 'POST' ? 201 : 204)
    return new Response(reply.body === undefined ? null : JSON.stringify(reply.body), { status, headers })
  })
  return {
    calls,
    of: (method: string, table: string) => calls.filter((call) => call.method === method && call.table === table),
  }
}

export const duplicate: Reply = {
  status: 409,
  body: { code: '23505', message: 'duplicate key value violates unique constraint', details: null, hint: null },
}

/** Refuses who asked too often, for so many seconds. */
export const tooMany = (wait: number): Reply => ({
  status: 429,
  body: { code: 'PT429', message: 'Too many requests.', details: null, hint: null },
  wait,
})

export const broken: Reply = { status: 500, body: { code: 'XX000', message: 'internal', details: null, hint: null } }
