import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { table } from '@/app/table'
import { courses, settings, workshop } from './catalogue'

// The server's script as the server runs it: in an engine that has ECMAScript and nothing else.

type Plan = { key: string; url: string; count: boolean }[]
type Rendered = {
  status: number
  title: string
  description: string
  canonical: string
  robots?: string
  html: string
  jsonld: { '@context': string; '@graph': Record<string, unknown>[] } | null
  image: string
  state: object
}

const script = join(import.meta.dirname, '../dist/server/render.js.br')
let greenroom: { plan: (path: string, answers?: string) => string; render: (path: string, input: string) => string }

beforeAll(() => {
  if (!existsSync(script)) throw new Error('build the app first: npm run build')
  const context = createContext({})
  runInContext(brotliDecompressSync(readFileSync(script)).toString(), context)
  greenroom = context.greenroom
})

// The second course can be taken: a text that anybody may read, and a film that they may not see.
const taken = { ...courses[1], coming_soon: false }
const school: Record<string, readonly object[]> = {
  course_offers: [
    {
      id: 'o1',
      course_id: taken.id,
      price_cents: 0,
      open: true,
      strict: false,
      lessons: 2,
      seconds: 605,
      reviews: 6,
      stars1: 0,
      stars2: 0,
      stars3: 0,
      stars4: 2,
      stars5: 4,
      trailer_id: 'v1',
      published_at: '2026-11-01T00:00:00+00:00',
    },
  ],
  course_sections: [{ id: 's1', title: 'First light' }],
  course_reviews: [
    {
      id: 'r1',
      author_name: 'Thu <i>',
      stars: 4,
      text: 'Good on light. <script>alert(1)</script>',
      state: 'published',
      hidden_for: null,
      reply: null,
      updated_at: '2026-11-02T00:00:00+00:00',
      created_at: '2026-11-02T00:00:00+00:00',
    },
  ],
  lessons: ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a2'].map((id, index) => ({
    id,
    section_id: 's1',
    title: ['Where to stand', 'The second take'][index],
    kind: ['text', 'video'][index],
    preview: index === 0,
    release_days: null,
    release_at: null,
    seconds: [0, 605][index],
  })),
}
const [reading, watching] = (school.lessons as { id: string }[]).map(({ id }) => `/learn/${taken.id}/${id}`)
const told = {
  lesson: { id: '00000000-0000-4000-8000-0000000000a1', kind: 'text', preview: true, state: 'published', title: '' },
  access: 'open',
  opens_at: null,
  body: 'Stand *here*.\n\n<script>alert(1)</script>\n\n![](https://elsewhere.test/a.png)',
  video: null,
  files: [{ id: 'f', name: 'a.txt', size: 1, mimetype: 'text/plain', url: '/signed-for-an-hour' }],
  progress: null,
  settings: null,
}

const earned = {
  state: 'valid',
  code: '7K2M-9QXR-4T0B',
  holder: 'دانا <b>',
  course_title: taken.title,
  course_id: taken.id,
  instructor: 'Mara Ellison',
  lessons: 2,
  seconds: 12_000,
  issued_at: '2026-11-16T23:30:00Z',
  revoked_at: null,
  qr: { size: 29, path: 'M0 0h7v1h-7z' },
}

function rowsFor(url: string, stage: object): unknown {
  if (url === '/functions/v1/lesson') return told
  if (url === '/functions/v1/certificate') return earned
  const table = /^\/rest\/v1\/(\w+)/.exec(url)?.[1] ?? ''
  if (table in school) return url.includes(taken.id) ? school[table] : []
  if (url.startsWith('/rest/v1/workshops?')) return [stage]
  const id = /[?&]id=eq\.([^&]+)/.exec(url)?.[1]
  if (id === taken.id) return [taken]
  return id ? courses.filter((course) => course.id === id) : courses
}

const typesOf = (page: Rendered) => page.jsonld?.['@graph'].map((thing) => thing['@type'])

function render(path: string, stage: object = workshop): Rendered & { rounds: Plan[] } {
  const answers: Record<string, object> = {}
  const rounds: Plan[] = []
  for (;;) {
    const plan = JSON.parse(greenroom.plan(path, JSON.stringify(answers))) as Plan
    if (plan.length === 0) break
    rounds.push(plan)
    for (const { key, url, count } of plan)
      answers[key] = { status: 200, body: rowsFor(url, stage), total: count ? 2 : null }
  }
  const input = JSON.stringify({ settings, origin: 'https://greenroom.test', answers })
  return { ...(JSON.parse(greenroom.render(path, input)) as Rendered), rounds }
}

const course = courses[0]

describe('the server script', () => {
  const paths = table.map(([path]) =>
    path
      .replace(':id', course.id)
      .replace(':code', earned.code)
      .replace('*', '/no-such-page')
      .replace(/\/:\w+\?/g, ''),
  )

  it.each(paths)('renders %s with a title, a description and no inline style or script', (path) => {
    const page = render(path)
    expect(page.status).toBe(path === '/no-such-page' ? 404 : 200)
    expect(page.title).toContain('Greenroom')
    expect(page.description).not.toBe('')
    expect(page.canonical).toBe(`https://greenroom.test${path}`)
    expect(page.html).toContain('<main')
    expect(page.html).not.toMatch(/ style="|<style|<script|<template|\son[a-z]+="/)
    expect(page.rounds.length).toBeLessThanOrEqual(3)
  })

  it('renders the same bytes twice', () => {
    expect(render('/').html).toBe(render('/').html)
  })

  it('shows the rows of the home page and asks for no whole catalogue', () => {
    const page = render('/')
    expect(page.html).toContain('Trending Now')
    expect(page.html).toContain(course.title)
    expect(page.html).toContain(workshop.title)
    for (const { url } of page.rounds.flat()) expect(url).toMatch(/[?&]limit=\d+/)
  })

  it('shows one row for a category in the address', () => {
    const page = render('/?category=AI%20Tools')
    expect(page.html).not.toContain('Trending Now')
    expect(page.rounds.flat()).toHaveLength(2)
  })

  it('shows a course with its data for search engines, and asks for its neighbours second', () => {
    const page = render(`/course/${course.id}`)
    expect(page.title).toBe(`${course.title} · Greenroom`)
    expect(page.image).toBe(`/course/${course.id}/card.png`)
    expect(page.jsonld?.['@graph']).toMatchObject([
      {
        '@type': 'Course',
        name: course.title,
        url: `https://greenroom.test/course/${course.id}`,
        timeRequired: 'P8W',
        hasCourseInstance: { courseMode: 'Online', instructor: { name: 'Mara Ellison' } },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { position: 1, name: 'Home', item: 'https://greenroom.test/' },
          { position: 2, item: 'https://greenroom.test/?category=Acting%20%26%20Performance' },
          { position: 3, name: course.title },
        ],
      },
    ])
    expect(page.rounds).toHaveLength(2)
  })

  it('shows a certificate to anybody, and to no search engine', () => {
    const page = render(`/certificate/${earned.code}`)
    for (const words of [
      'This certificate is valid.',
      '<h1 tabindex="-1" dir="auto" data-face="sans">دانا &lt;b&gt;</h1>',
      'November 16, 2026',
      '2 lessons · 3 hours 20 minutes',
      `href="/certificate/${earned.code}/certificate.pdf"`,
    ])
      expect(page.html).toContain(words)
    expect(page).toMatchObject({ robots: 'noindex', image: `/certificate/${earned.code}/card.png` })
    expect(render('/certificate/unknown')).toMatchObject({ status: 404, rounds: [] })
  })

  it('shows on which terms a course can be taken, and what it teaches', () => {
    const { html, jsonld, rounds } = render(`/course/${taken.id}`)
    for (const words of [
      'Enroll for Free',
      'Join Waitlist',
      'Free · 2 lessons · 10 min of video',
      'Curriculum',
      'First light',
    ])
      expect(html).toContain(words)
    expect(html).toContain(`href="${reading}"`)
    expect(html).not.toContain(`href="${watching}"`)
    expect(html).toContain('Watch Trailer')
    expect(html).not.toMatch(/ style="|<script/)
    for (const words of ['6 reviews', 'Thu &lt;i&gt;', 'Good on light. &lt;script&gt;']) expect(html).toContain(words)
    expect(jsonld?.['@graph'][0]).toMatchObject({
      aggregateRating: { '@type': 'AggregateRating', ratingValue: taken.rating, reviewCount: 6 },
      syllabusSections: [{ '@type': 'Syllabus', name: 'First light', description: 'Where to stand · The second take' }],
    })
    expect(jsonld?.['@graph'][1]).toMatchObject({ '@type': 'VideoObject', name: `Trailer: ${taken.title}` })
    expect(rounds.length).toBeLessThanOrEqual(3)
  })

  it('leaves the page of any other course as it was', () => {
    const { html } = render(`/course/${course.id}`)
    for (const words of ['Enroll', 'Curriculum', 'Trailer', '/learn/']) expect(html).not.toContain(words)
  })

  it('shows a lesson that anybody may read, out of its text and nothing else', () => {
    const { html, title, robots, state, rounds } = render(reading ?? '')
    expect(title).toBe(`Where to stand · ${taken.title} · Greenroom`)
    expect(robots).toBeUndefined()
    expect(html).toContain('<p>Stand <em>here</em>.</p>')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toContain('elsewhere.test')
    expect(JSON.stringify(state)).not.toContain('signed-for-an-hour')
    expect(rounds).toHaveLength(2)
  })

  it('shows of any other lesson where it belongs, and leaves the rest to who is here', () => {
    const { html, robots, rounds } = render(watching ?? '')
    expect(html).toContain('The second take')
    expect(html).not.toContain('enrolled learners')
    expect(robots).toBe('noindex')
    expect(rounds).toHaveLength(1)
  })

  it('answers 404 for a lesson that nobody has published', () => {
    expect(render(`/learn/${taken.id}/00000000-0000-4000-8000-00000000dead`).status).toBe(404)
  })

  it('tells search engines who we are, and of the workshop only when its start is exact', () => {
    expect(typesOf(render('/'))).toEqual(['Organization', 'WebSite'])
    const page = render('/', { ...workshop, starts_at: '2026-11-27T13:30:00+00:00' })
    expect(typesOf(page)).toEqual(['Organization', 'WebSite', 'Event'])
    expect(page.jsonld?.['@graph'][1]).toMatchObject({
      potentialAction: { target: { urlTemplate: 'https://greenroom.test/search?q={text}' } },
    })
    expect(page.jsonld?.['@graph'][2]).toMatchObject({
      name: workshop.title,
      startDate: '2026-11-27T13:30:00+00:00',
      endDate: '2026-11-27T14:15:00.000Z',
      image: 'https://greenroom.test/workshop/card.png',
      location: { '@type': 'VirtualLocation' },
    })
  })

  it.each(['/trending', '/search', '/contact', '/privacy-policy'])('tells the way to %s', (path) => {
    const page = render(path)
    expect(typesOf(page)).toEqual(['BreadcrumbList'])
    expect(page.image).toBe('/card.png')
  })

  it.each(['/course/00000000-0000-4000-8000-00000000dead', '/course/no-uuid'])('answers 404 for %s', (path) => {
    const page = render(path)
    expect(page.status).toBe(404)
    expect(page.html).toContain('Course not found')
    expect(page.robots).toBe('noindex')
    expect(page.jsonld).toBeNull()
  })

  it('asks nothing for a course id that is no uuid', () => {
    expect(greenroom.plan('/course/no-uuid')).toBe('[]')
  })

  it('renders without answers too', () => {
    const input = JSON.stringify({ settings, origin: 'https://greenroom.test', answers: {} })
    expect(JSON.parse(greenroom.render('/', input)).status).toBe(200)
  })

  it('escapes what is stored', () => {
    const page = render(`/course/${courses[1].id}`)
    expect(page.html).not.toContain('<img src=x')
  })
})
