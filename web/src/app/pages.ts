import type { PageModule } from '@/lib/page'

/** The page modules: loaded one by one in the browser, all at hand on the server. */
export type Pages = {
  /** The module if it is already there. */
  peek: (page: string) => PageModule | undefined
  load: (page: string) => Promise<PageModule>
  /** The load that is under way or has failed: to show a page is no new try. */
  await: (page: string) => Promise<PageModule>
}

const path = (page: string) => `../routes/${page}.tsx`

export function lazyPages(): Pages {
  const importers = import.meta.glob<PageModule>(['../routes/*.tsx', '!**/*.test.tsx'])
  const loaded = new Map<string, PageModule>()
  const pending = new Map<string, Promise<PageModule>>()
  const failed = new Set<string>()
  const load = (page: string) => {
    const known = pending.get(page)
    // A failed load may be tried again on the next visit.
    if (known && !failed.delete(page)) return known
    const importer = importers[path(page)]
    if (!importer) throw new Error(`no page ${page}`)
    const promise = importer().then((module) => {
      loaded.set(page, module)
      return module
    })
    promise.catch(() => failed.add(page))
    pending.set(page, promise)
    return promise
  }
  return { peek: (page) => loaded.get(page), load, await: (page) => pending.get(page) ?? load(page) }
}

export function eagerPages(modules: Record<string, PageModule>): Pages {
  return {
    peek: (page) => modules[path(page)],
    load: (page) => Promise.reject(new Error(`no page ${page}`)),
    await: (page) => Promise.reject(new Error(`no page ${page}`)),
  }
}
