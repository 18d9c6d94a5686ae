import type { ComponentType } from 'react'
import type { Navigator } from 'react-router'
import type { HeadFacts } from './head'
import type { Answer, Read } from './read'

/** The parts of an address that vary, such as a course's id. */
export type Params = Record<string, string | undefined>

/** What a page's plan may look at: its address, and the answers that are already there. */
export type PlanContext = {
  params: Params
  search: string
  answer: <Row>(read: Read<Row>) => Answer<Row> | undefined
}

/** What the server's page asks a function for, and the key under which the app looks for the answer. */
export type ServerCall = { key: readonly unknown[]; name: 'lesson' | 'certificate'; body: object }

/** A file in src/routes: the page, what it says about itself, and the reads that its anonymous view needs first. */
export type PageModule = {
  Page: ComponentType<{ params: Params }>
  /** A page may say more while it shows, such as a course's title. */
  head: HeadFacts
  plan?: (context: PlanContext) => Read<unknown>[]
  /** What the server asks besides, once the reads are answered. */
  calls?: (context: PlanContext) => ServerCall[]
}

/** Who has something to lose may take a step of the browser's Back and Forward back, and then says so. */
export type HeldNavigator = Navigator & { held?: ((steps: number | null) => boolean) | undefined }
