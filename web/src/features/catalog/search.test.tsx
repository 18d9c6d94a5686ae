import { fakeBackend } from '@test/backend'
import { courses } from '@test/catalogue'
import { show } from '@test/show'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Search } from './search'

const box = () => screen.getByRole('searchbox', { name: 'Search courses' })
const outcome = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))
const lit = () => screen.getByRole('link', { current: 'page' }).textContent
const address = () => screen.getByTestId('address').textContent

describe('the search', () => {
  it('says how many courses there are', async () => {
    fakeBackend(() => ({ body: courses, total: 28 }))
    show(<Search />, '/search')
    await outcome('28 courses found')
    expect(screen.getAllByRole('article')).toHaveLength(2)
  })

  it('says one course as one', async () => {
    fakeBackend(() => ({ body: [courses[0]], total: 1 }))
    show(<Search />, '/search?q=audition')
    await outcome('1 course found')
  })

  it('names the text that finds nothing', async () => {
    fakeBackend(() => ({ body: [], total: 0 }))
    show(<Search />, '/search?q=juggling')
    await outcome('No courses found for "juggling"')
  })

  it('shows a whole category under its name, and looks in it for what is typed', async () => {
    const backend = fakeBackend(() => ({ body: courses, total: 7 }))
    show(<Search />, '/search?category=Acting%20%26%20Performance')
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Acting & Performance')
    await outcome('7 courses found')
    expect(backend.calls[0]?.query.get('category')).toBe('eq.Acting & Performance')
    expect(lit()).toBe('Acting & Performance')
    await userEvent.type(box(), 'film')
    await waitFor(() => expect(backend.calls.at(-1)?.query.get('or')).toContain('film'))
    expect(backend.calls.at(-1)?.query.get('category')).toBe('eq.Acting & Performance')
    expect(lit()).toBe('Acting & Performance')
    expect(address()).toBe('/search?category=Acting%20%26%20Performance&q=film')
  })

  it('keeps what is typed when another category is chosen, or none', async () => {
    const backend = fakeBackend(() => ({ body: courses, total: 7 }))
    show(<Search />, '/search?q=film')
    expect(lit()).toBe('All')
    await userEvent.click(screen.getByRole('link', { name: 'AI Tools' }))
    expect(lit()).toBe('AI Tools')
    expect(box()).toHaveProperty('value', 'film')
    await waitFor(() => expect(backend.calls.at(-1)?.query.get('category')).toBe('eq.AI Tools'))
    expect(backend.calls.at(-1)?.query.get('or')).toContain('film')
    await userEvent.click(screen.getByRole('link', { name: 'All' }))
    expect(lit()).toBe('All')
    expect(address()).toBe('/search?q=film')
  })

  it('leads from a category that has nothing of it to all of them', async () => {
    fakeBackend(({ query }) => (query.has('category') ? { body: [], total: 0 } : { body: courses, total: 2 }))
    show(<Search />, '/search?category=AI%20Tools&q=film')
    await outcome('No courses found for "film"')
    await userEvent.click(screen.getByRole('link', { name: 'Search all categories' }))
    await outcome('2 courses found')
    expect(address()).toBe('/search?q=film')
  })

  it('asks what was meant where a letter is wrong, and goes there', async () => {
    fakeBackend(({ query }) => {
      const text = /^\(title\.ilike\."\*(.*?)\*"/.exec(query.get('or') ?? '')?.[1] ?? ''
      return courses[0].title.toLowerCase().includes(text) ? { body: [courses[0]], total: 1 } : { body: [], total: 0 }
    })
    show(<Search />, '/search?q=auditoin')
    await outcome('No courses found for "auditoin"')
    await userEvent.click(await screen.findByRole('link', { name: 'audition' }))
    await outcome('1 course found')
    expect(box()).toHaveProperty('value', 'audition')
  })

  it('says that there are no courses at all', async () => {
    fakeBackend(() => ({ body: [], total: 0 }))
    show(<Search />, '/search')
    await outcome('No courses available')
  })

  it('starts with the text of the address, follows the typing and mirrors it', async () => {
    const backend = fakeBackend(() => ({ body: courses, total: 2 }))
    show(<Search />, '/search?q=aud')
    expect(box()).toHaveProperty('value', 'aud')
    await userEvent.type(box(), 'ition')
    expect(box()).toHaveProperty('value', 'audition')
    expect(address()).toBe('/search?q=audition')
    await waitFor(() =>
      expect(backend.calls.at(-1)?.query.get('or')).toBe(
        '(title.ilike."*audition*",instructor.ilike."*audition*",category.ilike."*audition*",description.ilike."*audition*")',
      ),
    )
    expect(backend.calls.at(-1)?.query.get('limit')).toBe('24')
    expect(backend.calls.at(-1)?.headers.get('prefer')).toBe('count=exact')
  })

  it('takes the parameter away with the text', async () => {
    fakeBackend(() => ({ body: courses, total: 2 }))
    show(<Search />, '/search?q=aud')
    await userEvent.clear(box())
    expect(address()).toBe('/search')
  })

  it('asks for the next page when the reader comes near the end, and for no more than there is', async () => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(private readonly see: (entries: { isIntersecting: boolean }[]) => void) {}
        observe() {
          this.see([{ isIntersecting: true }])
        }
        disconnect() {}
      },
    )
    const backend = fakeBackend(({ query }) => ({
      body: query.get('offset') === '0' ? [courses[0]] : [courses[1]],
      total: 25,
    }))
    show(<Search />, '/search')
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2))
    expect(backend.calls.map(({ query }) => query.get('offset'))).toEqual(['0', '24'])
  })

  it('offers another try when it fails', async () => {
    let broken = true
    fakeBackend(() => (broken ? { status: 400, body: { message: 'no' } } : { body: courses, total: 2 }))
    show(<Search />, '/search')
    const again = await screen.findByRole('button', { name: 'Try again' })
    broken = false
    await userEvent.click(again)
    await outcome('2 courses found')
  })
})
