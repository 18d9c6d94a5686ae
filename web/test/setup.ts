import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { provideSettings } from '@/lib/settings'
import { settings } from './catalogue'

provideSettings(settings)

// A busy machine with two cores is no failure.
configure({ asyncUtilTimeout: 10_000 })

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

globalThis.IntersectionObserver ??= class {
  observe() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver

beforeEach(() => {
  vi.spyOn(console, 'error')
})

afterEach(() => {
  // The toaster's list outlives the page that showed it.
  toast.dismiss()
  cleanup()
  sessionStorage.clear()
  localStorage.clear()
  vi.unstubAllGlobals()
  expect(vi.mocked(console.error).mock.calls, 'console.error was called').toEqual([])
})
