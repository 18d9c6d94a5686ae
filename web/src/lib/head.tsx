import { createContext, use, useEffect } from 'react'
import { settings } from './settings'

/** What a page says about itself; what only machines read stands in entry-server/about.ts. */
export type HeadFacts = {
  title: string
  description?: string
  status?: 200 | 404
  robots?: string
}

const siteName = 'Greenroom'

export const fullTitle = (title: string) =>
  title === siteName || title.includes(siteName) ? title : `${title} · ${siteName}`

/** Collects the facts while the server renders; absent in the browser. */
export const HeadCollector = createContext<((facts: HeadFacts) => void) | null>(null)

function setMeta(name: string, content: string | undefined) {
  const found = document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  if (content === undefined) return found?.remove()
  const element = found ?? document.head.appendChild(Object.assign(document.createElement('meta'), { name }))
  element.content = content
}

/** Tells the document its title and description; the last one rendered wins. */
export function Head(facts: HeadFacts) {
  const collect = use(HeadCollector)
  collect?.(facts)
  const { title, description, robots } = facts
  useEffect(() => {
    document.title = fullTitle(title)
    if (description !== undefined) setMeta('description', description)
    setMeta('robots', robots)
    // A document that began with a page that is not to be found has none yet.
    const canonical =
      document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]') ??
      document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'canonical' }))
    canonical.href = settings().siteUrl + location.pathname
  }, [title, description, robots])
  return null
}
