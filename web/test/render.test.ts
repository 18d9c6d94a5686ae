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
}

const script = join(import.meta.dirname, '../dist/server/render.js.br')
let greenroom: { plan: (path: string, answers?: string) => string; render: (path: string, input: string) => string }

beforeAll(() => {
  if (!existsSync(script)) throw new Error('build the app first: npm run build')
  const context = createContext({})
  runInContext(brotliDecompressSync(readFileSync(script)).toString(), context)
  greenroom = context.greenroom
})

function rowsFor(url: string, stage: object): readonly unknown[] {
  if (url.startsWith('/rest/v1/workshops?')) return [stage]
  const id = /[?&]id=eq\.([^&]+)/.exec(url)?.[1]
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
