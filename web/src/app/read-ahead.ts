import type { QueryClient } from '@tanstack/react-query'
import { readQuery } from '@/lib/query'
import { keyOf, type Read } from '@/lib/read'
import type { Pages } from './pages'
import { match } from './router'

type Address = { pathname: string; search: string }

/** Asks for what a page will ask for, so that it is there when its reader is. */
export async function readAhead(pages: Pages, client: QueryClient, { pathname, search }: Address) {
  const { page, params } = match(pathname)
  const { plan = () => [] } = await pages.load(page)
  const answer = <Row>(read: Read<Row>) => client.getQueryData(readQuery(read).queryKey)
  const asked = new Set<string>()
  // What a page asks for may depend on what it has learned: a course names its category.
  for (;;) {
    const reads = plan({ params, search, answer }).filter((read) => !asked.has(keyOf(read).join()))
    if (reads.length === 0) return
    for (const read of reads) asked.add(keyOf(read).join())
    await Promise.all(reads.map((read) => client.prefetchQuery(readQuery(read))))
  }
}
