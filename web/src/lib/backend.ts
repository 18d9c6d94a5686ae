import type { PostgrestClient } from '@supabase/postgrest-js'
import { type Answer, filterValue, type Read, selectOf } from './read'
import { rowsOf } from './rows'
import { accessToken } from './session'
import { settings } from './settings'
import { hearWait } from './wait'

/** A refusal or failure of the data API, with the code that screens branch on ('23505'). */
export class BackendError extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(message: string, status: number, code?: string) {
    super(message)
    this.name = 'BackendError'
    this.status = status
    this.code = code
  }
}

// Everybody sees the same rows there, so a reader never waits for a session to be restored.
const openTables = new Set(['courses', 'workshops'])

function isOpenRead(input: RequestInfo | URL, init?: RequestInit): boolean {
  const method = init?.method ?? 'GET'
  if (method !== 'GET' && method !== 'HEAD') return false
  const { pathname } = new URL(String(input instanceof Request ? input.url : input))
  return openTables.has(pathname.slice('/rest/v1/'.length))
}

/** The page's fetch with the site's key and, where there is a session, its token. */
export async function fetchAsCaller(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { apiKey } = settings()
  const token = isOpenRead(input, init) ? null : await accessToken()
  const headers = new Headers(init?.headers)
  headers.set('apikey', apiKey)
  headers.set('Authorization', `Bearer ${token ?? apiKey}`)
  return hearWait(await fetch(input, { ...init, headers }))
}

let client: Promise<PostgrestClient> | undefined

/**
 * The data API, for writes: `(await rest()).from(table)`; reads are described with `Read` and run by
 * the query cache. Its client is loaded on first use: a rendered page needs it only later.
 */
export function rest(): Promise<PostgrestClient> {
  client ??= import('@supabase/postgrest-js').then(
    // The query cache repeats failed reads; a second layer of repeats would multiply with it.
    (library) => new library.PostgrestClient(`${location.origin}/rest/v1`, { fetch: fetchAsCaller, retry: false }),
  )
  client.catch(() => {
    client = undefined
  })
  return client
}

type Reply = {
  status: number
  error: { message: string; code?: string } | null
}

/** Throws what the data API refused, so that a mutation fails when its call did. */
export function orThrow<T extends Reply>(answer: T): T {
  if (answer.error) throw new BackendError(answer.error.message, answer.status, answer.error.code)
  return answer
}

export async function run<Row>(read: Read<Row>, signal?: AbortSignal): Promise<Answer<Row>> {
  let query = (await rest()).from(read.table).select(selectOf(read), read.count ? { count: 'exact' } : {})
  for (const [column, operator, value] of read.where ?? []) query = query.filter(column, operator, filterValue(value))
  if (read.or) query = query.or(read.or.join(','))
  for (const [column, direction] of read.order ?? []) query = query.order(column, { ascending: direction === 'asc' })
  if (read.offset !== undefined) query = query.range(read.offset, read.offset + (read.limit ?? 1000) - 1)
  else if (read.limit !== undefined) query = query.limit(read.limit)
  if (signal) query = query.abortSignal(signal)
  const { data, count } = orThrow(await query)
  return { rows: rowsOf(read.columns, data), total: count }
}

/** Whether the data API said that the row is already there. */
export const isDuplicate = ({ error }: Pick<Reply, 'error'>): boolean =>
  error?.code === '23505' || /duplicate/i.test(error?.message ?? '')
