import { act, render, screen, waitFor } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import {
  UNSAFE_createMemoryHistory as createMemoryHistory,
  type NavigateFunction,
  useLocation,
  useNavigate,
  useNavigationType,
} from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import type { PageModule } from '@/lib/page'
import { drawWhole, InTurn } from '@/startup/in-turn'
import type { Pages } from './pages'
import { AppRoutes, loadPassage, PatientRouter } from './router'

let navigate: NavigateFunction
let drawn = 0

function Where() {
  navigate = useNavigate()
  drawn += 1
  const { pathname, search } = useLocation()
  return <p data-testid="where">{`${pathname}${search} by ${useNavigationType()}`}</p>
}

const shown = () => screen.getByTestId('where').textContent
const main = () => screen.getByRole('main')

const where: PageModule = { Page: Where, head: { title: 'Where' } }
const there: Pages = { peek: () => where, load: async () => where, await: async () => where }

/** Shows the last of the entries of a history. */
function showRoutes(pages: Pages, ...entries: string[]) {
  const history = createMemoryHistory({ initialEntries: entries, v5Compat: true })
  render(
    <PatientRouter history={history} pages={pages}>
      <main id="content">
        <AppRoutes pages={pages} />
      </main>
    </PatientRouter>,
  )
  return history
}

/** Pages on a slow line: each comes when it is brought, or fails; the home page is there. */
function slowPages() {
  const loaded = new Map([['home', where]])
  const waiting = new Map<string, { resolve: (page: PageModule) => void; reject: (error: Error) => void }>()
  const pending = new Map<string, Promise<PageModule>>()
  const load = (page: string) => {
    const known = loaded.get(page)
    if (known) return Promise.resolve(known)
    const promise =
      pending.get(page) ?? new Promise<PageModule>((resolve, reject) => waiting.set(page, { resolve, reject }))
    pending.set(page, promise)
    return promise
  }
  const pages: Pages = { peek: (page) => loaded.get(page), load, await: load }
  const bring = (page: string) =>
    act(async () => {
      loaded.set(page, where)
      waiting.get(page)?.resolve(where)
    })
  const fail = (page: string) => act(async () => waiting.get(page)?.reject(new Error('no line')))
  return { pages, bring, fail }
}

/** As for a reader who wants nothing to move, for whom no picture travels either. */
const nothingMoves = () => vi.stubGlobal('matchMedia', () => ({ matches: true }))

afterEach(() => {
  drawWhole(false)
  vi.useRealTimers()
})

it('a page knows by what kind of step its address changed', async () => {
  showRoutes(there, '/search')
  await act(() => navigate('/search?q=tea', { replace: true }))
  expect(shown()).toBe('/search?q=tea by REPLACE')
})

it('a page stays, with its own address, until the next one has come', async () => {
  const { pages, bring } = slowPages()
  showRoutes(pages, '/')
  drawn = 0
  await act(() => navigate('/trending'))
  expect(shown()).toMatch(/^\/ by/)
  expect(drawn, 'what stays is not drawn again').toBe(0)
  await bring('trending')
  await waitFor(() => expect(shown()).toBe('/trending by PUSH'))
})

it('a page that is long on its way says so until it comes', async () => {
  nothingMoves()
  vi.useFakeTimers()
  const { pages, bring } = slowPages()
  showRoutes(pages, '/')
  await act(() => navigate('/trending'))
  vi.advanceTimersByTime(100)
  expect(main().hasAttribute('aria-busy'), 'not at once').toBe(false)
  vi.runAllTimers()
  expect(main().getAttribute('aria-busy')).toBe('true')
  await bring('trending')
  expect(shown()).toBe('/trending by PUSH')
  expect(main().hasAttribute('aria-busy')).toBe(false)
})

it('a page that is there says nothing of a way', async () => {
  nothingMoves()
  vi.useFakeTimers()
  showRoutes(there, '/')
  await act(async () => navigate('/trending'))
  expect(shown()).toBe('/trending by PUSH')
  vi.runAllTimers()
  expect(main().hasAttribute('aria-busy')).toBe(false)
})

it('a page that does not come is no longer on its way', async () => {
  nothingMoves()
  vi.useFakeTimers()
  vi.mocked(console.error).mockImplementation(() => undefined)
  const { pages, fail } = slowPages()
  showRoutes(pages, '/')
  await act(() => navigate('/trending'))
  vi.runAllTimers()
  expect(main().getAttribute('aria-busy')).toBe('true')
  await fail('trending')
  expect(screen.getByText('Something went wrong on this page').isConnected).toBe(true)
  expect(main().hasAttribute('aria-busy')).toBe(false)
  vi.mocked(console.error).mockClear()
})

it('two presses are one step: the way back leads to the page that they were made on', async () => {
  nothingMoves()
  const { pages, bring } = slowPages()
  const history = showRoutes(pages, '/')
  await act(() => navigate('/trending'))
  await act(() => navigate('/search'))
  await bring('search')
  expect(shown()).toBe('/search by PUSH')
  expect(history.index).toBe(1)
  await act(async () => navigate('/contact'))
  expect(history.index, 'a press on the page that has come is a step of its own').toBe(2)
  await act(async () => navigate(-1))
  await act(async () => navigate(-1))
  expect(shown()).toBe('/ by POP')
})

it('a press on the way back is a step of its own', async () => {
  nothingMoves()
  const { pages, bring } = slowPages()
  const history = showRoutes(pages, '/trending', '/')
  await act(() => navigate(-1))
  await act(() => navigate('/search'))
  await bring('search')
  expect(shown()).toBe('/search by PUSH')
  expect(history.index).toBe(1)
  await bring('trending')
  await act(async () => navigate(-1))
  expect(shown()).toBe('/trending by POP')
})

it('who comes back stands where they left, who goes on at the top', async () => {
  nothingMoves()
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue(undefined)
  const scroll = (to: number) => {
    vi.stubGlobal('scrollY', to)
    dispatchEvent(new Event('scroll'))
  }
  showRoutes(there, '/')
  scroll(600)
  await act(async () => navigate('/trending'))
  expect(scrolled.mock.lastCall).toEqual([0, 0])
  scroll(50)
  await act(async () => navigate(-1))
  expect(scrolled.mock.lastCall).toEqual([0, 600])
  scrolled.mockRestore()
})

it('a page that comes late does not take the place of one that was wanted after it', async () => {
  nothingMoves()
  const { pages, bring } = slowPages()
  showRoutes(pages, '/')
  await act(() => navigate('/trending'))
  await act(() => navigate('/search'))
  await bring('search')
  await bring('trending')
  expect(shown()).toBe('/search by PUSH')
})

it('neither does one that comes in time, but is drawn while the next is on its way', async () => {
  nothingMoves()
  const { pages, bring } = slowPages()
  showRoutes(pages, '/')
  await bring('trending')
  await act(async () => {
    void navigate('/trending')
    // It has come, and is about to be drawn.
    await new Promise((resolve) => setTimeout(resolve))
    void navigate('/search')
  })
  await waitFor(() => expect(main().getAttribute('aria-busy'), 'the next one is still on its way').toBe('true'))
  await bring('search')
  expect(shown()).toBe('/search by PUSH')
})

const wholeAt: boolean[] = []

function Long() {
  useLayoutEffect(() => {
    wholeAt.push(screen.queryByText('below') !== null)
  }, [])
  return (
    <>
      <Where />
      <InTurn>below</InTurn>
    </>
  )
}

it('who comes back finds the page whole; who goes on, its first screen at once', async () => {
  nothingMoves()
  const long: PageModule = { Page: Long, head: { title: 'Long' } }
  const load = async () => long
  showRoutes({ peek: () => long, load, await: load }, '/')
  await screen.findByText('below')
  wholeAt.length = 0
  await act(async () => navigate('/trending'))
  await screen.findByText('below')
  await act(async () => navigate(-1))
  expect(shown()).toBe('/ by POP')
  expect(wholeAt).toEqual([false, true])
})

it('no picture travels for who wants nothing to move', async () => {
  expect(await loadPassage()).toHaveProperty('leave')
  nothingMoves()
  expect(loadPassage()).toBeUndefined()
})
