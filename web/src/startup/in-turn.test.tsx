import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { drawWhole, InTurn, waitFor } from './in-turn'

afterEach(() => drawWhole(false))

const page = (
  <>
    <InTurn seen>
      <p>first screen</p>
    </InTurn>
    <InTurn>
      <p>below it</p>
    </InTurn>
  </>
)

it('of a page that the browser draws the first screen is there at once, and the rest follows', async () => {
  render(page)
  expect(screen.queryByText('first screen')).not.toBeNull()
  expect(screen.queryByText('below it')).toBeNull()
  await screen.findByText('below it')
})

it('a page that is returned to is there at once as far as it goes', () => {
  drawWhole(true)
  render(page)
  expect(screen.queryByText('below it')).not.toBeNull()
})

it('what is below the first screen waits while a picture moves', async () => {
  let end = () => {}
  waitFor(
    new Promise<void>((done) => {
      end = done
    }),
  )
  render(page)
  await act(() => new Promise((done) => setTimeout(done, 50)))
  expect(screen.queryByText('below it')).toBeNull()
  end()
  await screen.findByText('below it')
})

it('a movement that is broken off holds nothing up', async () => {
  waitFor(Promise.reject(new DOMException('', 'AbortError')))
  render(page)
  await screen.findByText('below it')
})
