import { fakeBackend } from '@test/backend'
import { courses } from '@test/catalogue'
import { expect, it } from 'vitest'
import { makeQueryClient } from '@/lib/query'
import * as course from '@/routes/course'
import * as search from '@/routes/search'
import { eagerPages } from './pages'
import { readAhead } from './read-ahead'

const pages = { ...eagerPages({}), load: async (page: string) => (page === 'course' ? course : search) }

it('what a page will ask for is there before it, with what that leads to', async () => {
  const backend = fakeBackend(({ table }) => ({ body: table === 'courses' ? [courses[0]] : [] }))
  const client = makeQueryClient()
  const link = { pathname: `/course/${courses[0].id}`, search: '' }
  await readAhead(pages, client, link)
  expect(
    backend.of('GET', 'courses').map(({ query }) => [...query.keys()].filter((key) => key !== 'select')[0]),
  ).toEqual(['id', 'category', 'instructor'])
  const asked = backend.calls.length
  await readAhead(pages, client, link)
  expect(backend.calls, 'what is there is not asked for again').toHaveLength(asked)
})

it('a search is asked for with its words', async () => {
  const backend = fakeBackend(() => ({ body: courses }))
  await readAhead(pages, makeQueryClient(), { pathname: '/search', search: '?q=film' })
  expect(backend.calls[0]?.query.get('or')).toContain('film')
})
