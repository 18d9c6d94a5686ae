import { createContext, use, useEffect } from 'react'

type Preload = {
  href: string
  as: string
  type?: string
  imagesrcset?: string
  imagesizes?: string
  fetchpriority?: string
}

/** What a page says about itself to browsers, search engines and share cards. */
export type HeadFacts = {
  title: string
  description?: string
  status?: 200 | 404
  robots?: string
  image?: string
  jsonld?: readonly object[]
  preload?: readonly Preload[]
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
    const canonical = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]')
    if (canonical) canonical.href = location.origin + location.pathname
  }, [title, description, robots])
  return null
}
