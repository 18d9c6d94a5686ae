import { fakeBackend } from '@test/backend'
import { signIn } from '@test/show'
import { beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '@/lib/rows'
import { type Enrollment, type Lesson, lessonsOf } from './api'
import { Coverage } from './coverage'
import { nextLesson } from './enroll'
import { followFilm, type Mark } from './follow'
import { save, sendWaiting, waitingOf } from './save'
import { doneOf, fileSize, length, moment, opensAt, percent, price } from './words'

const bits = (text: string) =>
  [...atob(text)].flatMap((sign) => Array.from({ length: 8 }, (_, bit) => (sign.charCodeAt(0) >> bit) & 1)).join('')

describe('what was played', () => {
  it('counts a step once half of it was, and the short last one too', () => {
    const coverage = new Coverage(12)
    coverage.add(0, 2.4)
    expect(bits(String(coverage))).toBe('00000000')
    coverage.add(2.4, 2.6)
    coverage.add(4, 8)
    coverage.add(10, 11)
    expect(bits(String(coverage))).toBe('11100000')
  })

  it('keeps what was known, within the film', () => {
    const coverage = new Coverage(12, btoa('\x04\xff\xff'))
    coverage.add(0, 900)
    expect(bits(String(coverage))).toBe('11100000')
    expect(String(new Coverage(12, '!!'))).toBe(btoa('\0'))
  })
})

describe('following a film', () => {
  it('takes what is played and leaves what is jumped over, and tells it when it pauses', () => {
    const video = Object.assign(document.createElement('video'), {}) as HTMLVideoElement
    const state = { currentTime: 0, readyState: 4, seeking: false, played: { length: 1 } }
    for (const name of Object.keys(state)) Object.defineProperty(video, name, { get: () => Reflect.get(state, name) })
    const told: [Mark, boolean][] = []
    const end = followFilm(video, new Coverage(60), (mark, leaving) => told.push([mark, leaving]))
    const play = (time: number) => {
      state.currentTime = time
      video.dispatchEvent(new Event('timeupdate'))
    }
    for (let time = 0; time <= 5; time += 0.25) play(time)
    state.currentTime = 40
    video.dispatchEvent(new Event('seeking'))
    for (let time = 40; time <= 44; time += 0.25) play(time)
    video.dispatchEvent(new Event('pause'))
    video.dispatchEvent(new Event('pause'))
    expect(told).toHaveLength(1)
    expect(told[0]?.[0].position_seconds).toBe(44)
    expect(bits(told[0]?.[0].covered ?? '')).toBe('1000000010000000')
    state.currentTime = 46
    end()
    expect(told[1]).toMatchObject([{ position_seconds: 46 }, true])
    video.dispatchEvent(new Event('pause'))
    expect(told).toHaveLength(2)
  })

  it('tells once that a film begins', () => {
    const video = document.createElement('video')
    const state = { currentTime: 0, readyState: 4, seeking: false, paused: true, played: { length: 1 } }
    for (const name of Object.keys(state)) Object.defineProperty(video, name, { get: () => Reflect.get(state, name) })
    const told: Mark[] = []
    const end = followFilm(video, new Coverage(60), (mark) => told.push(mark))
    video.dispatchEvent(new Event('timeupdate'))
    expect(told).toHaveLength(0)
    state.paused = false
    for (const time of [0.25, 0.5, 0.75]) {
      state.currentTime = time
      video.dispatchEvent(new Event('timeupdate'))
    }
    expect(told).toMatchObject([{ position_seconds: 0 }])
    end()
  })
})

describe('progress on its way', () => {
  beforeEach(signIn)
  const saving = { lesson: 'l1', position_seconds: 40, at: '2026-11-16T18:00:00.000Z', covered: 'AQ==' }
  const saved = { position_seconds: 40, covered: 'AQ==', completed_at: null, course_completed_at: null, done: 0, of: 3 }

  it('waits in the tab while there is no network, and goes when there is', async () => {
    let isAway = true
    const backend = fakeBackend(() => (isAway ? 'no network' : { status: 200, body: saved }))
    await expect(save(saving)).rejects.toThrow()
    await expect(
      save({ lesson: 'l1', position_seconds: 44, at: '2026-11-16T18:00:15.000Z', speed: 125 }),
    ).rejects.toThrow()
    expect(waitingOf('l1')).toEqual({ ...saving, position_seconds: 44, at: '2026-11-16T18:00:15.000Z', speed: 125 })
    isAway = false
    await sendWaiting()
    expect(backend.calls.at(-1)?.body).toMatchObject({ position_seconds: 44, covered: 'AQ==', speed: 125 })
    expect(waitingOf('l1')).toBeUndefined()
  })

  it('is let go of when the server refuses it', async () => {
    fakeBackend(() => ({ status: 403, body: { message: 'This lesson is for enrolled learners' } }))
    await expect(save(saving)).rejects.toThrow('This lesson is for enrolled learners')
    expect(waitingOf('l1')).toBeUndefined()
  })
})

const lesson = (id: string, more: Partial<Lesson> = {}): Lesson => ({
  id,
  section_id: 's',
  title: id,
  kind: 'text',
  preview: false,
  release_days: null,
  release_at: null,
  seconds: 0,
  ...more,
})

it('a lesson of a kind that comes later leaves the outline whole', () => {
  const rows = [lesson('a'), { ...lesson('b'), kind: 'quiz' }]
  expect(rowsOf(lessonsOf('c').columns, rows)).toEqual(rows)
})

describe('the way on', () => {
  const lessons = ['a', 'b', 'c'].map((id) => lesson(id))

  it.each([
    [[], undefined, 'a'],
    [['a'], 'a', 'b'],
    [['c'], 'c', 'a'],
    [['a', 'c'], 'c', 'b'],
    [['a', 'b', 'c'], 'b', 'a'],
  ])('with %s done and %s last leads to %s', (done, last, next) => {
    expect(nextLesson(lessons, new Set(done), last)?.id).toBe(next)
  })

  it('opens by date before days, and at once for who may see all', () => {
    const enrollment = { created_at: '2026-11-16T13:30:00Z', opened_all: false } as Enrollment
    const at = (time: string) => Date.parse(time)
    expect(opensAt(lesson('a', { release_days: 3 }), enrollment)).toBe(at('2026-11-19T13:30:00Z'))
    expect(opensAt(lesson('a', { release_days: 3, release_at: '2026-11-28T12:00:00Z' }), enrollment)).toBe(
      at('2026-11-28T12:00:00Z'),
    )
    expect(opensAt(lesson('a', { release_days: 3 }), { ...enrollment, opened_all: true })).toBe(0)
    expect(opensAt(lesson('a'), enrollment)).toBe(0)
  })
})

describe('words', () => {
  it('say how much and how long', () => {
    expect([doneOf(3, 12), doneOf(0, 1), percent(2, 3), percent(0, 0), percent(4, 3)]).toEqual([
      '3 of 12 lessons',
      '0 of 1 lesson',
      66,
      0,
      100,
    ])
    expect([length(20), length(60), length(2880), length(3600), length(4800)]).toEqual([
      'under 1 min',
      '1 min',
      '48 min',
      '1 h',
      '1 h 20 min',
    ])
    expect([price(4900), price(4950)]).toEqual(['$49', '$49.50'])
    expect([fileSize(12), fileSize(2400), fileSize(1_234_567)]).toEqual(['12 B', '2 kB', '1.2 MB'])
    expect(moment(new Date(2026, 10, 28, 13, 30).getTime())).toBe('Nov 28, 1:30 PM')
  })
})
