import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { provideSettings } from '@/lib/settings'
import { settings } from './catalogue'

provideSettings(settings)

// What the browser has and jsdom does not.
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
window.matchMedia ??= ((query: string) => ({
  matches: false,
  media: query,
  addEventListener() {},
  removeEventListener() {},
})) as unknown as typeof window.matchMedia
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

beforeEach(() => {
  vi.spyOn(console, 'error')
})

afterEach(() => {
  cleanup()
  expect(vi.mocked(console.error).mock.calls, 'console.error was called').toEqual([])
})
