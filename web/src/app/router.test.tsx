import { act, render, screen, waitFor } from '@testing-library/react'
import {
  UNSAFE_createMemoryHistory as createMemoryHistory,
  type NavigateFunction,
  useLocation,
  useNavigate,
  useNavigationType,
} from 'react-router'
import { expect, it, vi } from 'vitest'
import type { PageModule } from '@/lib/page'
import type { Pages } from './pages'
import { AppRoutes, PatientRouter } from './router'

let navigate: NavigateFunction
let drawn = 0

function Where() {
  navigate = useNavigate()
  drawn += 1
  const { pathname, search } = useLocation()
  return <p data-testid="where">{`${pathname}${search} by ${useNavigationType()}`}</p>
}

const shown = () => screen.getByTestId('where').textContent

const where: PageModule = { Page: Where, head: { title: 'Where' } }

function showRoutes(pages: Pages, path: string) {
  render(
    <PatientRouter history={createMemoryHistory({ initialEntries: [path], v5Compat: true })} pages={pages}>
      <AppRoutes pages={pages} />
    </PatientRouter>,
  )
}

it('a page knows by what kind of step its address changed', async () => {
  showRoutes({ peek: () => where, load: async () => where, await: async () => where }, '/search')
  await act(() => navigate('/search?q=tea', { replace: true }))
  expect(shown()).toBe('/search?q=tea by REPLACE')
})

it('a page stays, with its own address, until the next one has come', async () => {
  let bring: (page: PageModule) => void = () => undefined
  const next = new Promise<PageModule>((done) => {
    bring = done
  })
  const loaded = vi.fn((page: string): PageModule | undefined => (page === 'home' ? where : undefined))
  showRoutes({ peek: loaded, load: () => next, await: () => next }, '/')
  drawn = 0
  await act(() => navigate('/trending'))
  expect(shown()).toMatch(/^\/ by/)
  expect(drawn, 'what stays is not drawn again').toBe(0)
  loaded.mockReturnValue(where)
  await act(async () => bring(where))
  await waitFor(() => expect(shown()).toBe('/trending by PUSH'))
})
