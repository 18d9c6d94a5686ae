import { act, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Player } from './player'
import type { Play } from './types'

const granted = (): Play => ({
  video: 'v',
  state: 'playable',
  hls: '',
  file: '/media/grant/v/source',
  poster: '',
  thumbs: '',
  captions: [],
  seconds: 60,
  problem: '',
  expires_at: new Date(Date.now() + 4 * 3_600_000).toISOString(),
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))

it('asks once more for a file that fails, keeps its speed, and then says that it is broken', async () => {
  const renew = vi.fn(async () => granted())
  const { container } = render(<Player play={granted()} title="T" artist="A" renew={renew} />)
  const film = container.querySelector('video') as HTMLVideoElement
  const isBroken = () => container.querySelector('.player-spinner, .player-start') === null
  await pass(0)
  fireEvent(film, new Event('loadedmetadata'))
  film.playbackRate = 1.5
  fireEvent.error(film)
  await pass(0)
  expect(renew).toHaveBeenCalledTimes(1)
  expect(isBroken()).toBe(false)
  fireEvent(film, new Event('loadedmetadata'))
  expect(film.playbackRate).toBe(1.5)
  await pass(9_000)
  fireEvent.error(film)
  await pass(0)
  expect(renew).toHaveBeenCalledTimes(1)
  expect(isBroken()).toBe(true)
})
