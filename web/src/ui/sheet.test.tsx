import { render, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { Router } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import type { HeldNavigator } from '@/lib/page'
import { Sheet } from './sheet'

const navigator = { createHref: String, push: vi.fn(), replace: vi.fn(), go: vi.fn() } as unknown as HeldNavigator

function Page({ children }: { children?: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Router navigator={navigator} location="/">
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Sheet open={isOpen} onOpenChange={setOpen} title="Lessons">
        {children}
      </Sheet>
    </Router>
  )
}

afterEach(() => {
  navigator.held = undefined
})

it('Back closes a panel and stays on the page; the next Back leaves it', async () => {
  const go = vi.spyOn(history, 'go').mockImplementation(() => undefined)
  render(<Page />)
  expect(navigator.held).toBeUndefined()
  screen.getByRole('button', { name: 'Open' }).click()
  await screen.findByRole('dialog', { name: 'Lessons' })
  // The browser has gone back when it says so: that is undone, which it tells of as well.
  expect(navigator.held?.(-1)).toBe(true)
  expect(go.mock.calls).toEqual([[1]])
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(navigator.held?.(1)).toBe(true)
  expect(navigator.held).toBeUndefined()
  go.mockRestore()
})

it('does not take the place of who asks about what would be lost', async () => {
  const asks = vi.fn(() => true)
  navigator.held = asks
  render(<Page />)
  screen.getByRole('button', { name: 'Open' }).click()
  await screen.findByRole('dialog', { name: 'Lessons' })
  expect(navigator.held).toBe(asks)
})
