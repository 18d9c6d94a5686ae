import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Player } from './player'
import type { Play } from './types'

const hour = 3_600_000

const granted = (life: number): Play => ({
  video: 'v',
  state: 'playable',
  hls: '',
  file: `/media/grant-${life}/v/source`,
  poster: '',
  thumbs: '',
  captions: [],
  seconds: 60,
  problem: '',
  expires_at: new Date(Date.now() + life).toISOString(),
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))

it('asks for the next grant at three quarters of the life of each, and not before', async () => {
  const renew = vi.fn(async () => granted(8 * hour))
  render(<Player play={granted(4 * hour)} title="T" artist="A" renew={renew} />)
  await pass(3 * hour - 1)
  expect(renew).not.toHaveBeenCalled()
  await pass(1)
  expect(renew).toHaveBeenCalledTimes(1)
  await pass(6 * hour - 1)
  expect(renew).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(renew).toHaveBeenCalledTimes(2)
})

it('asks no more once it is gone', async () => {
  const renew = vi.fn(async () => granted(4 * hour))
  const { unmount } = render(<Player play={granted(4 * hour)} title="T" artist="A" renew={renew} />)
  await pass(hour)
  unmount()
  await pass(8 * hour)
  expect(renew).not.toHaveBeenCalled()
})
