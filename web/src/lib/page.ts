import type { ComponentType } from 'react'
import type { Answer, Read } from './read'

/** What a page's plan may look at: its address, and the answers that are already there. */
export type PlanContext = {
  params: Record<string, string | undefined>
  search: string
  answer: <Row>(read: Read<Row>) => Answer<Row> | undefined
}

/** A file in src/routes: the page, and the reads that its anonymous view needs before it renders. */
export type PageModule = {
  Page: ComponentType
  plan?: (context: PlanContext) => Read<unknown>[]
}
