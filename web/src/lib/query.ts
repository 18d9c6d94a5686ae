import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { BackendError, run } from './backend'
import { type Answer, keyOf, type Read } from './read'
import { judgeSession } from './session'

const minute = 60_000

/** Network failures, overload and the server's own faults may pass; a refusal stays one. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof BackendError)) return true
  return error.status === 0 || error.status === 429 || error.status >= 500
}

/** A session that ended elsewhere ends here too, whatever found out about it. */
const onError = (error: unknown) => {
  if (error instanceof BackendError && error.status === 401) void judgeSession()
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // Offline, a call fails like any other instead of waiting unseen.
        networkMode: 'always',
        staleTime: minute,
        gcTime: 5 * minute,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 3 && mayPass(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

/**
 * Reads again what a change may have made untrue. A first read that is still under way may have seen the time before the
 * change, and an invalidation alone would wait for its answer and keep it: it is called off first.
 */
export async function readAnew(client: QueryClient, ...keys: (readonly unknown[])[]) {
  await Promise.all(keys.map((queryKey) => client.cancelQueries({ queryKey })))
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** The cache entry of a read: rows, and the total where the read counts. */
export function readQuery<Row>(read: Read<Row>) {
  return queryOptions({
    queryKey: keyOf(read),
    queryFn: ({ signal }): Promise<Answer<Row>> => run(read, signal),
  })
}

/** What the server found for a page, by the JSON of the query key. */
export type Answers = Record<string, { status: number; body: unknown; total: number | null }>

/** Puts the server's answers where the reads of the page will look for them. */
export function takeAnswers(client: QueryClient, answers: Answers | null) {
  for (const [key, { status, body, total }] of Object.entries(answers ?? {})) {
    if (status < 300 && Array.isArray(body)) client.setQueryData(JSON.parse(key), { rows: body, total })
  }
}
