import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useNow } from './now'

const Clock = () => <p data-testid="now">{useNow()}</p>
const shown = () => Number(screen.getByTestId('now').textContent)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('is right at once when it comes back into sight, however long it slept', () => {
  const first = render(<Clock />)
  const begun = shown()
  first.unmount()
  vi.advanceTimersByTime(10 * 60_000)
  render(<Clock />)
  expect(shown()).toBe(begun + 10 * 60_000)
})
