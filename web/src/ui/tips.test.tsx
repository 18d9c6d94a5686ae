import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { IconButton } from './icon-button'
import { startTips } from './tips'

let stop = () => {}

const shown = () => screen.queryByRole('tooltip', { hidden: true })?.textContent ?? null
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))
const button = (name: string) => screen.getByRole('button', { name })
const pointAt = (element: Element, pointerType = 'mouse') =>
  fireEvent(element, Object.assign(new MouseEvent('pointerover', { bubbles: true }), { pointerType }))

beforeEach(() => {
  vi.useFakeTimers()
  stop = startTips()
  render(
    <>
      <IconButton label="Menu">
        <svg aria-hidden="true" />
      </IconButton>
      <IconButton label="Close">
        <svg aria-hidden="true" />
      </IconButton>
      <button type="button" aria-label="Join Waitlist: Falls">
        Join Waitlist
      </button>
    </>,
  )
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

it('shows the name of an icon after 700 ms', () => {
  pointAt(button('Menu'))
  pass(699)
  expect(shown()).toBeNull()
  pass(1)
  expect(shown()).toBe('Menu')
  pointAt(document.body)
  expect(shown()).toBeNull()
})

it('shows the next one at once within 300 ms, and waits again after that', () => {
  pointAt(button('Menu'))
  pass(700)
  pointAt(document.body)
  pass(299)
  pointAt(button('Close'))
  expect(shown()).toBe('Close')
  pointAt(document.body)
  pass(300)
  pointAt(button('Menu'))
  expect(shown()).toBeNull()
  pass(700)
  expect(shown()).toBe('Menu')
})

it('stays while the pointer is on it, and goes by Escape', () => {
  pointAt(button('Menu'))
  pass(700)
  pointAt(screen.getByRole('tooltip', { hidden: true }))
  expect(shown()).toBe('Menu')
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(shown()).toBeNull()
})

it('goes by a press and does not come back for the same visit', () => {
  pointAt(button('Menu'))
  pass(700)
  fireEvent.pointerDown(button('Menu'))
  pointAt(button('Menu'))
  pass(5000)
  expect(shown()).toBeNull()
})

it.each([
  ['a finger', () => pointAt(button('Menu'), 'touch')],
  ['a control that has words', () => pointAt(button('Join Waitlist: Falls'))],
])('shows nothing for %s', (_, point) => {
  point()
  pass(5000)
  expect(shown()).toBeNull()
})

it('shows the name at once to who comes by key', () => {
  // Away from a control: jsdom takes the last thing that was focused anywhere into account for a key on the body.
  fireEvent.keyDown(button('Menu'), { key: 'Tab' })
  act(() => button('Close').focus())
  pass(0)
  expect(shown()).toBe('Close')
  act(() => button('Close').blur())
  expect(shown()).toBeNull()
})
