import { fakeBackend } from '@test/backend'
import { describe, expect, it } from 'vitest'
import { run } from './backend'
import { contains, type Read, urlOf } from './read'
import type { RowOf } from './rows'

const columns = { id: 'string', launch_at: 'string?' } as const
const plain: Read<RowOf<typeof columns>> = { table: 'courses', columns }

const reads: Record<string, Read<unknown>> = {
  'everything of a table': { table: 'courses', columns },
  'conditions, order and limit': {
    table: 'courses',
    columns: { id: 'string', title: 'string' },
    where: [
      ['category', 'eq', 'Acting & Performance'],
      ['rating', 'gte', 4.8],
      ['coming_soon', 'is', true],
    ],
    order: [
      ['rating', 'desc'],
      ['id', 'asc'],
    ],
    limit: 6,
  },
  'a page with a count': { table: 'courses', columns, offset: 24, limit: 24, count: true },
  'a list of values': { table: 'courses', columns, where: [['id', 'in', ['a', 'b,c', 'd"e']]] },
  'one of several conditions': {
    table: 'courses',
    columns,
    or: [contains('title', 'a, "b" (c) 50%_\\'), contains('category', '&')],
  },
}

describe('a read', () => {
  it.each(Object.entries(reads))('of %s is the same question from the page and from the server', async (_, read) => {
    const backend = fakeBackend(() => ({ body: [], total: 0 }))
    await run(read)
    const [call] = backend.calls
    const planned = new URL(urlOf(read), 'http://localhost')
    const sorted = (query: URLSearchParams) => [...query].sort(([a], [b]) => a.localeCompare(b))
    expect(planned.pathname).toBe(`/rest/v1/${call?.table}`)
    expect(sorted(planned.searchParams)).toEqual(sorted(call?.query ?? new URLSearchParams()))
    expect(call?.headers.get('prefer')).toBe(read.count ? 'count=exact' : null)
  })

  it('makes the wildcards and quotes of a text literal', () => {
    expect(contains('title', '50%')).toBe('title.ilike."*50\\\\%*"')
    expect(contains('title', 'a_b')).toBe('title.ilike."*a\\\\_b*"')
    expect(contains('title', 'say "hi"')).toBe('title.ilike."*say \\"hi\\"*"')
    expect(contains('title', 'c:\\')).toBe('title.ilike."*c:\\\\\\\\*"')
    expect(contains('title', 'a*b')).toBe('title.ilike."*a\\\\*b*"')
  })

  it('carries the site key, and no token for what everybody may read', async () => {
    const backend = fakeBackend(() => ({ body: [] }))
    await run(plain)
    expect(backend.calls[0]?.headers.get('apikey')).toBe('sb_publishable_test')
    expect(backend.calls[0]?.headers.get('authorization')).toBe('Bearer sb_publishable_test')
  })

  it('throws what the data API refused, with its code', async () => {
    fakeBackend(() => ({ status: 400, body: { code: '42703', message: 'no such column', details: null, hint: null } }))
    await expect(run(plain)).rejects.toMatchObject({
      code: '42703',
      status: 400,
      message: 'no such column',
    })
  })

  it.each([
    ['a column is missing', [{ id: 'a' }]],
    ['a column holds something else', [{ id: 1, launch_at: null }]],
    ['a column is null that never is', [{ id: null, launch_at: null }]],
    ['there are no rows at all', { id: 'a', launch_at: null }],
  ])('fails where %s', async (_, body) => {
    fakeBackend(() => ({ body }))
    await expect(run(plain)).rejects.toThrow('columns')
  })

  it('gives the rows that have the columns, whatever else they have', async () => {
    fakeBackend(() => ({ body: [{ id: 'a', launch_at: null, more: 1 }] }))
    expect((await run(plain)).rows).toHaveLength(1)
  })
})
