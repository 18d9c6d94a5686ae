import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { BackendError, run } from '@/lib/backend'
import { keys } from '@/lib/keys'
import { ownKeys } from '@/lib/own-keys'
import { mayPass, readAnew } from '@/lib/query'
import { keyOf, type Read, urlOf } from '@/lib/read'
import { useReaderId } from '@/lib/session'
import { countOf, pageLength, type Source, type Tab } from './reads'

/** Everything that the panel keeps goes with the person who asked for it. */
export function useAdminKey() {
  return ownKeys.admin(useReaderId())
}

type Page<Row, Place> = { rows: Row[]; next: Place | undefined }

export type Feed<Row, Place> = {
  key: readonly unknown[]
  first: Place
  fetch: (place: Place, signal: AbortSignal) => Promise<Page<Row, Place>>
  onFailure: (error: Error) => void
  /** How often the beginning is read again while nobody has scrolled on, in milliseconds. */
  every?: number
}

export type Pages<Row> = {
  rows: Row[]
  isLoading: boolean
  isFailed: boolean
  /** The server gave up: what was asked for takes too long. */
  isTooSlow: boolean
  isFetching: boolean
  /** There are no more. */
  isWhole: boolean
  more: () => void
  retry: () => void
}

const isTooSlow = (error: unknown) => error instanceof BackendError && error.code === '57014'

/** A list's rows so far, and a way to more of them. */
export function useFeed<Row, Place>({ key, first, fetch, onFailure, every }: Feed<Row, Place>): Pages<Row> {
  const admin = useAdminKey()
  const query = useInfiniteQuery({
    queryKey: [...admin, 'pages', ...key],
    queryFn: ({ pageParam, signal }) => fetch(pageParam as Place, signal),
    initialPageParam: first,
    getNextPageParam: ({ next }: Page<Row, Place>) => next,
    // What the server gave up on for the time it takes would take it again.
    retry: (failures, error) => failures < 3 && mayPass(error) && !isTooSlow(error),
    staleTime: 10_000,
    refetchInterval: ({ state }) => (every !== undefined && state.data?.pages.length === 1 ? every : false),
  })
  // A list that was left is kept for a while, but read again from its beginning, not page by page to where it was.
  const client = useQueryClient()
  const whole = useRef<readonly unknown[]>([])
  whole.current = [...admin, 'pages', ...key]
  useEffect(
    () => () => {
      client.setQueryData<InfiniteData<Page<Row, Place>>>(
        whole.current,
        (known) => known && { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) },
      )
    },
    [client],
  )
  const { error } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is told once, however often the teller is made anew
  useEffect(() => {
    if (error) onFailure(error)
  }, [error])
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data])
  return {
    rows,
    isLoading: query.isPending,
    isFailed: query.isError && rows.length === 0,
    isTooSlow: isTooSlow(query.error),
    isFetching: query.isFetchingNextPage,
    isWhole: !query.hasNextPage,
    more: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
    retry: () => void query.refetch(),
  }
}

/** The rows of a table's list. */
export function usePages<Row>(source: Source<Row>, onFailure: (error: Error) => void): Pages<Row> {
  return useFeed<Row, Partial<Read<Row>>>({
    key: [source.read.table, urlOf(source.read)],
    first: {},
    fetch: async (place, signal) => {
      const { rows } = await run({ ...source.read, ...place }, signal)
      const last = rows.at(-1)
      const loaded = (place.offset ?? 0) + rows.length
      return { rows, next: last && rows.length === pageLength ? source.after(last, loaded) : undefined }
    },
    onFailure,
  })
}

/** Changes the loaded rows of a table in every list of it, without asking for them again. */
export function usePatchRows<Row>(table: string) {
  const admin = useAdminKey()
  const client = useQueryClient()
  return (change: (rows: Row[], page: number) => Row[]) => {
    client.setQueriesData<InfiniteData<Page<Row, unknown>>>(
      { queryKey: [...admin, 'pages', table] },
      (known) =>
        known && { ...known, pages: known.pages.map((page, index) => ({ ...page, rows: change(page.rows, index) })) },
    )
    // What learners see of it in this browser is asked for again.
    void readAnew(client, [...admin, 'count'], keys.table(table))
  }
}

/** How many rows a tab has in all; null until it is known. */
export function useCount(tab: Tab): number | null {
  const admin = useAdminKey()
  const read = countOf(tab)
  const { data, error } = useQuery({
    queryKey: [...admin, 'count', ...keyOf(read)],
    queryFn: ({ signal }) => run(read, signal),
    staleTime: 10_000,
  })
  useEffect(() => {
    if (error) console.error(`The ${tab} could not be counted.`, error)
  }, [error, tab])
  return data?.total ?? null
}
