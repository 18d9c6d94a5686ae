import type { Session } from '@supabase/auth-js'
import { broken, type Call, fakeBackend } from '@test/backend'
import { courses, workshop } from '@test/catalogue'
import { reader, show, signIn, signOut } from '@test/show'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CardActions } from '@/features/catalog/card-actions'
import { takeWanted } from '@/lib/memory'
import { provideSession } from '@/lib/session'
import { drawWhole } from '@/startup/in-turn'
import { Page as Home } from './home'
import { Page as MyList } from './my-list'
import { Page as NotFound } from './not-found'
import { cardActions } from './parts/card-actions'
import { Page as Waitlist } from './waitlist'

const address = () => screen.getByTestId('address').textContent
const entry = (title: string, day: string) => ({
  id: title,
  course_title: title,
  course_id: null,
  created_at: `2026-11-${day}T12:00:00+00:00`,
})

describe('the home page', () => {
  beforeEach(signOut)
  const answer = ({ table }: Call) => ({ body: table === 'workshops' ? [workshop] : courses })

  it('has its rows in the order of the programme', async () => {
    fakeBackend(answer)
    drawWhole(true)
    show(<Home />)
    await screen.findByRole('heading', { level: 1, name: workshop.title })
    await waitFor(() => expect(screen.getAllByRole('article').length).toBeGreaterThan(10))
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
      'Trending Now',
      'Coming Soon',
      'Creator Economy',
      'Acting & Performance',
      'AI Tools',
      'Content Creation',
      'Business & Networking',
      'Marketing & Growth',
    ])
  })

  it('shows one row for a category, which an address can name', async () => {
    fakeBackend(answer)
    show(<Home />, '/?category=AI%20Tools')
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual(['AI Tools'])
    await userEvent.click(screen.getByRole('tab', { name: 'Content Creation' }))
    expect(address()).toBe('/?category=Content%20Creation')
    await userEvent.click(screen.getByRole('tab', { name: 'All' }))
    expect(address()).toBe('/')
    await screen.findByRole('heading', { name: 'Trending Now' })
  })
})

describe('My List', () => {
  it('sends a visitor to sign in and remembers the way back', async () => {
    signOut()
    fakeBackend(() => ({ body: [] }))
    show(<MyList />, '/my-list')
    await waitFor(() => expect(address()).toBe('/auth'))
    expect(takeWanted()).toBe('/my-list')
  })

  it('tells a guest that it is in this browser only, and leads to an account', async () => {
    const user = { ...reader, is_anonymous: true }
    provideSession({ status: 'signed-in', session: { user, access_token: 'token' } as unknown as Session })
    fakeBackend(({ table }) => ({
      body: table === 'saved_courses' ? [{ id: '1', course_id: courses[0].id }] : table === 'courses' ? courses : [],
    }))
    show(<MyList />, '/my-list')
    await screen.findByText(/^Your list is kept in this browser only/)
    await userEvent.click(screen.getByRole('button', { name: 'Create an account' }))
    expect(address()).toBe('/auth')
  })

  it('shows the saved courses, newest first, and goes on with others', async () => {
    signIn()
    const ids = [courses[1].id, courses[0].id]
    const another = { ...courses[0], id: '9f9619ff-8b86-4d01-b42d-00cf4fc964ff', title: 'Another' }
    const backend = fakeBackend(({ table, query }) => {
      if (table === 'saved_courses') return { body: ids.map((id) => ({ id, course_id: id })) }
      if (table !== 'courses') return { body: [] }
      return { body: query.has('id') ? courses : [...courses, another] }
    })
    show(<MyList />, '/my-list')
    const list = within(await screen.findByRole('list', { name: 'Saved courses' }))
    await waitFor(() =>
      expect(list.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
        courses[1].title,
        courses[0].title,
      ]),
    )
    expect(backend.of('GET', 'courses').flatMap((call) => call.query.get('id') ?? [])).toEqual([
      `in.("${ids[0]}","${ids[1]}")`,
    ])
    const others = within(await screen.findByRole('region', { name: 'More to explore' }))
    expect(others.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual(['Another'])
  })

  it('takes a card away with its heart, and brings it back when that fails', async () => {
    signIn()
    fakeBackend(({ table, method }) => {
      if (method === 'DELETE') return broken
      return {
        body:
          table === 'saved_courses' ? [{ id: 's', course_id: courses[0].id }] : table === 'courses' ? [courses[0]] : [],
      }
    })
    show(
      <CardActions value={cardActions}>
        <MyList />
      </CardActions>,
      '/my-list',
    )
    await userEvent.click(await screen.findByRole('button', { name: `Remove ${courses[0].title} from My List` }))
    await screen.findByText('Failed to update saved courses')
    await screen.findByRole('article', { name: courses[0].title })
  })

  it('leads elsewhere when nothing at all can be read', async () => {
    signIn()
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    fakeBackend(() => broken)
    show(<MyList />, '/my-list')
    const ways = within(await screen.findByRole('navigation', { name: 'More to explore' }))
    expect(ways.getAllByRole('link').map((link) => link.textContent)).toEqual(['Home', 'Trending', 'Search'])
  })

  it('says what to do when nothing is saved', async () => {
    signIn()
    fakeBackend(({ table }) => ({ body: table === 'courses' ? courses : [] }))
    show(<MyList />, '/my-list')
    await screen.findByText("You haven't saved any courses yet")
    screen.getByText(/heart icon/)
  })

  it('says when the list cannot be loaded', async () => {
    signIn()
    fakeBackend(({ table }) => (table === 'saved_courses' ? { status: 400, body: { message: 'no' } } : { body: [] }))
    show(<MyList />, '/my-list')
    await screen.findByText('Failed to load your saved courses')
    screen.getByRole('button', { name: 'Try again' })
  })
})

describe('the waitlist', () => {
  beforeEach(signIn)

  it('lists the entries with their dates, and removes one', async () => {
    let rows = [entry('Second', '09'), entry('First', '02')]
    const backend = fakeBackend(({ method, query }) => {
      if (method === 'DELETE') rows = rows.filter((row) => query.get('id') !== `eq.${row.id}`)
      return method === 'GET' ? { body: rows } : {}
    })
    show(<Waitlist />, '/waitlist')
    const titles = async () =>
      (await screen.findAllByRole('heading', { level: 2 })).map((heading) => heading.textContent)
    expect(await titles()).toEqual(['Second', 'First'])
    expect(screen.getByText('November 9, 2026').closest('p')?.textContent).toBe('Added November 9, 2026')
    await userEvent.click(screen.getByRole('button', { name: 'Remove Second' }))
    await screen.findByText('Removed from waitlist')
    expect(await titles()).toEqual(['First'])
    const [read] = backend.of('GET', 'course_waitlist')
    expect(read?.query.get('user_id')).toBe(`eq.${reader.id}`)
    expect(read?.query.get('order')).toBe('created_at.desc')
  })

  it('puts an entry back that could not be removed', async () => {
    fakeBackend(({ method }) => (method === 'GET' ? { body: [entry('First', '02')] } : 'no network'))
    show(<Waitlist />, '/waitlist')
    await userEvent.click(await screen.findByRole('button', { name: 'Remove First' }))
    await screen.findByText('Failed to remove from waitlist. Please try again.')
    screen.getByRole('heading', { name: 'First' })
  })

  it('offers the courses when it is empty', async () => {
    fakeBackend(() => ({ body: [] }))
    show(<Waitlist />, '/waitlist')
    expect((await screen.findByRole('link', { name: 'Browse Courses' })).getAttribute('href')).toBe('/')
  })

  it('says when it cannot be loaded', async () => {
    fakeBackend(({ table }) => (table === 'course_waitlist' ? { status: 400, body: { message: 'no' } } : { body: [] }))
    show(<Waitlist />, '/waitlist')
    await screen.findByText('Failed to load waitlist')
  })
})

it('logs the path of a page that is not there', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  show(<NotFound />, '/no/such/page')
  screen.getByRole('heading', { name: 'Oops! Page not found' })
  expect(warn.mock.calls.flat().join(' ')).toContain('/no/such/page')
  expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
})
