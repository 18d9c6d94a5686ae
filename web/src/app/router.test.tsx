import { act, render, screen } from '@testing-library/react'
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate, useNavigationType } from 'react-router'
import { expect, it, vi } from 'vitest'
import type { PageModule } from '@/lib/page'
import type { Pages } from './pages'
import { AppRoutes } from './router'

let navigate: NavigateFunction

function Where() {
  navigate = useNavigate()
  const { pathname, search } = useLocation()
  return <p data-testid="where">{`${pathname}${search} by ${useNavigationType()}`}</p>
}

const shown = () => screen.getByTestId('where').textContent

const where: PageModule = { Page: Where, head: { title: 'Where' } }

function showRoutes(pages: Pages, path: string) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <AppRoutes pages={pages} />
    </MemoryRouter>,
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
  await act(() => navigate('/trending'))
  expect(shown()).toMatch(/^\/ by/)
  loaded.mockReturnValue(where)
  await act(async () => bring(where))
  expect(shown()).toBe('/trending by PUSH')
})
