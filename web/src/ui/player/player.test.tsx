import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { type Actions, makeActions } from './actions'
import { Choice } from './choice'
import { clock, inWords } from './clock'
import { useKeys } from './keys'
import { UpNext } from './overlays'
import { Player } from './player'
import { readTiles, tileAt } from './thumbs'
import type { Play } from './types'

describe('a moment of a film', () => {
  it.each([
    [0, '0:00', '0 seconds'],
    [65.9, '1:05', '1 minute 5 seconds'],
    [3725, '1:02:05', '1 hour 2 minutes 5 seconds'],
    [Number.NaN, '0:00', '0 seconds'],
  ])('%s is shown as %s and told as %s', (seconds, shown, told) => {
    expect([clock(seconds), inWords(seconds)]).toEqual([shown, told])
  })

  it('has its picture on the sheet', () => {
    const index =
      'WEBVTT\n\n00:00.000 --> 00:05.000\na-sprite-1.jpg#xywh=0,0,160,90\n\n00:05.000 --> 01:00:00.000\na-sprite-1.jpg#xywh=160,0,160,90\n'
    const tiles = readTiles(index, '/media/grant/video/thumbs.vtt')
    expect(tiles).toHaveLength(2)
    expect(tileAt(tiles, 6)).toMatchObject({ sheet: '/media/grant/video/a-sprite-1.jpg', x: 160, to: 3600 })
    expect(tileAt(tiles, 9999)?.x).toBe(160)
    expect(readTiles('no index', '/media/x')).toEqual([])
  })
})

function Keys({ actions }: { actions: Partial<Actions> }) {
  const root = useRef<HTMLDivElement>(null)
  useKeys(root, actions as Actions)
  return (
    <>
      <div ref={root}>
        <button type="button">Inside</button>
      </div>
      <input aria-label="Name" />
    </>
  )
}

describe('the picture before a film', () => {
  const play: Play = {
    video: 'v',
    state: 'playable',
    hls: '',
    file: '/media/grant/v/file.mp4',
    poster: '',
    thumbs: '',
    captions: [],
    seconds: 60,
    problem: '',
    expires_at: '',
  }

  it.each([
    ['', '/art/still.webp'],
    ['/media/grant/v/poster.jpg', '/media/grant/v/poster.jpg'],
  ])('is its own, and the still until there is one (%s)', (poster, shown) => {
    const { container } = render(
      <Player play={{ ...play, poster }} still="/art/still.webp" title="T" artist="A" renew={async () => null} />,
    )
    expect(container.querySelector('video')?.getAttribute('poster')).toBe(shown)
  })
})

describe('the keys', () => {
  const spies = () => ({
    toggle: vi.fn(),
    step: vi.fn(),
    louder: vi.fn(),
    part: vi.fn(),
    faster: vi.fn(),
    help: vi.fn(),
  })

  it('count wherever nobody writes', async () => {
    const actions = spies()
    render(<Keys actions={actions} />)
    await userEvent.keyboard('kjL7>?')
    expect(actions.toggle).toHaveBeenCalledTimes(1)
    expect(actions.step.mock.calls).toEqual([[-10], [10]])
    expect(actions.part).toHaveBeenCalledWith(7)
    expect(actions.faster).toHaveBeenCalledWith(1)
    expect(actions.help).toHaveBeenCalledTimes(1)
    await userEvent.type(screen.getByRole('textbox'), 'k7')
    expect(actions.toggle).toHaveBeenCalledTimes(1)
    expect(actions.part).toHaveBeenCalledTimes(1)
  })

  it('leave the page its arrows and a button its space', async () => {
    const actions = spies()
    render(<Keys actions={actions} />)
    await userEvent.keyboard('{ArrowDown}')
    expect(actions.louder).not.toHaveBeenCalled()
    screen.getByRole('button').focus()
    await userEvent.keyboard('{ArrowDown} ')
    expect(actions.louder).toHaveBeenCalledTimes(1)
    expect(actions.toggle).not.toHaveBeenCalled()
  })
})

describe('what keys and buttons do', () => {
  const film = { paused: true, currentTime: 8, duration: 12, volume: 0.98, muted: true, playbackRate: 2 }
  const onSpeed = vi.fn()
  const said: string[] = []
  const actions = makeActions({
    video: { current: film as unknown as HTMLVideoElement },
    root: { current: null },
    say: (words) => said.push(words),
    onSpeed,
    onCaptions: vi.fn(),
    onHelp: vi.fn(),
    onNext: undefined,
  })

  it('stays within the film, its loudness and its speeds', () => {
    actions.step(10)
    expect(film.currentTime).toBe(12)
    actions.louder(0.05)
    expect([film.volume, film.muted]).toEqual([1, false])
    actions.faster(1)
    expect(onSpeed).toHaveBeenCalledWith(2)
    expect(said).toEqual(['+10 s · 0:12', 'Volume 100%', 'Speed 2×'])
  })
})

describe('a menu of the player', () => {
  it('opens at what holds, is walked through by arrows, and gives the focus back', async () => {
    const choose = vi.fn()
    const options = ['Off', 'English', 'Deutsch'].map((name) => ({ name, value: name }))
    render(<Choice label="Captions" face="CC" options={options} value="English" onChoose={choose} />)
    const button = screen.getByRole('button', { name: 'Captions' })
    await userEvent.click(button)
    expect(document.activeElement?.textContent).toBe('English')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{Enter}')
    expect(choose).toHaveBeenCalledWith('Deutsch')
    expect(document.activeElement).toBe(button)
    await userEvent.click(button)
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
  })
})

describe('the next lesson', () => {
  it('begins by itself after five seconds, once', () => {
    vi.useFakeTimers()
    const go = vi.fn()
    render(<UpNext title="The second take" onGo={go} onCancel={vi.fn()} />)
    expect(screen.getByRole('status').textContent).toBe('Next: The second take. It starts in 5 seconds.')
    for (let second = 1; second <= 5; second++) {
      expect(go).not.toHaveBeenCalled()
      act(() => vi.advanceTimersByTime(1000))
    }
    expect(go.mock.calls).toEqual([[true]])
    vi.useRealTimers()
  })
})
