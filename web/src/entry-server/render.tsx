import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { App } from '@/app/app'
import { eagerPages } from '@/app/pages'
import { match } from '@/app/router'
import { fullTitle, HeadCollector, type HeadFacts } from '@/lib/head'
import type { PageModule } from '@/lib/page'
import { type Answers, makeQueryClient, takeAnswers } from '@/lib/query'
import { type Answer, keyOf, type Read, urlOf } from '@/lib/read'
import { rowsOf } from '@/lib/rows'
import { provideSettings, type Settings } from '@/lib/settings'
import { about } from './about'

const pages = eagerPages(import.meta.glob<PageModule>(['../routes/*.tsx', '!**/*.test.tsx'], { eager: true }))

type Input = { settings: Settings; origin: string; answers: Answers }

function split(path: string): [pathname: string, search: string] {
  const mark = path.indexOf('?')
  return mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark)]
}

const answerIn =
  (answers: Answers) =>
  <Row,>(read: Read<Row>): Answer<Row> | undefined => {
    const found = answers[JSON.stringify(keyOf(read))]
    return found && found.status < 300 ? { rows: rowsOf(read.columns, found.body), total: found.total } : undefined
  }

/** The reads that the page needs and that have no answer yet, as JSON. */
function plan(path: string, answersSoFar = '{}'): string {
  const answers = JSON.parse(answersSoFar) as Answers
  const [pathname, search] = split(path)
  const { page, params } = match(pathname)
  const context = { params, search, answer: answerIn(answers) }
  const module = pages.peek(page)
  const reads = (module?.plan?.(context) ?? []).map((read) => ({
    key: JSON.stringify(keyOf(read)),
    url: urlOf(read),
    count: read.count ?? false,
  }))
  const calls = (module?.calls?.(context) ?? []).map(({ key, name, body }) => ({
    key: JSON.stringify(key),
    url: `/functions/v1/${name}`,
    body,
  }))
  return JSON.stringify([...reads, ...calls].filter(({ key }) => !(key in answers)))
}

/**
 * What functions said, as a page may keep it: as the one row of an answer, or none, and without addresses of a lesson that
 * are good for some hours only.
 */
function keepable(answers: Answers): Answers {
  const kept = Object.entries(answers).map(([key, answer]) => {
    if (Array.isArray(answer.body)) return [key, answer] as const
    if (answer.status === 404) return [key, { ...answer, status: 200, body: [] }] as const
    if (answer.status >= 300) return [key, answer] as const
    const row = answer.body as object
    return [key, { ...answer, body: ['video' in row ? { ...row, video: null, files: [] } : row] }] as const
  })
  return Object.fromEntries(kept)
}

/** The page's markup and what belongs into its head, as JSON. */
function render(path: string, input: string): string {
  const { settings, origin, answers: given } = JSON.parse(input) as Input
  const answers = keepable(given)
  provideSettings(settings)
  const queryClient = makeQueryClient()
  takeAnswers(queryClient, answers)
  let head: HeadFacts = { title: 'Greenroom' }
  const html = renderToString(
    <HeadCollector value={(facts) => (head = { ...head, ...facts })}>
      <StaticRouter location={path}>
        <App pages={pages} queryClient={queryClient} />
      </StaticRouter>
    </HeadCollector>,
  )
  queryClient.clear()
  const [pathname] = split(path)
  const { page, params } = match(pathname)
  const facts = about({ page, params, pathname, origin, title: head.title, answer: answerIn(answers) })
  return JSON.stringify({
    status: head.status ?? 200,
    title: fullTitle(head.title),
    description: head.description ?? '',
    canonical: origin + pathname,
    robots: head.robots,
    html,
    state: answers,
    page,
    jsonld: head.status === 404 ? null : { '@context': 'https://schema.org', '@graph': facts.jsonld },
    image: facts.image,
    preload: facts.preload,
  })
}

Object.assign(globalThis, { greenroom: { plan, render } })
