import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { releaseAhead } from './release'

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<div class="ahead"></div><div class="ahead"></div>'
})

afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

const released = () => [...document.querySelectorAll<HTMLElement>('.ahead')].map((part) => part.style.contentVisibility)

it('what waits below the screen is brought in part by part', async () => {
  void releaseAhead()
  await vi.advanceTimersByTimeAsync(100)
  expect(released()).toEqual(['visible', ''])
  await vi.advanceTimersByTimeAsync(100)
  expect(released()).toEqual(['visible', 'visible'])
})

it.each(['pointerdown', 'keydown', 'scroll'])(
  'it waits while its reader is busy (%s), and comes after that',
  async (type) => {
    void releaseAhead()
    document.body.dispatchEvent(new Event(type))
    await vi.advanceTimersByTimeAsync(500)
    document.body.dispatchEvent(new Event(type))
    await vi.advanceTimersByTimeAsync(500)
    expect(released()).toEqual(['', ''])
    await vi.advanceTimersByTimeAsync(400)
    expect(released()).toEqual(['visible', 'visible'])
  },
)
