import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BackendError } from '@/lib/backend'
import { readDraft } from '@/lib/draft'
import { Autosave } from './autosave'

/** A server with one draft, whose line can be cut before or after it has heard. */
function server(body = 'old') {
  const draft = { body, version: 1 }
  const line = { cut: '' as '' | 'before' | 'after' }
  const bodies: string[] = []
  const wire = {
    send: async (text: string, version: number) => {
      if (line.cut === 'before') throw new BackendError('no network', 0)
      if (version !== draft.version) throw new BackendError('Somebody else changed this lesson.', 409)
      bodies.push(text)
      draft.body = text
      draft.version += 1
      if (line.cut === 'after') throw new BackendError('no network', 0)
      return draft.version
    },
    read: async () => {
      if (line.cut) throw new BackendError('no network', 0)
      return { ...draft }
    },
  }
  const open = () => new Autosave('one', { ...draft }, wire)
  const other = (text: string) => {
    draft.body = text
    draft.version += 1
  }
  return { draft, line, bodies, open, other }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})
const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('typing', () => {
  it('is sent once, a second and a half after the last key', async () => {
    const { bodies, open } = server()
    const save = open()
    save.type('a')
    await wait(1400)
    save.type('ab')
    await wait(1400)
    expect(bodies).toEqual([])
    await wait(200)
    expect(bodies).toEqual(['ab'])
    expect(save.state).toBe('saved')
    expect(readDraft('lesson.one')).toBeNull()
  })

  it('goes on while a text is on its way, and the field is never written to', async () => {
    const { draft, open } = server()
    const save = open()
    save.type('first')
    await wait(1499)
    save.type('first and second')
    expect(save.text).toBe('first and second')
    await wait(3100)
    expect(draft.body).toBe('first and second')
  })

  it('back to what was there needs no sending', async () => {
    const { bodies, open } = server()
    const save = open()
    save.type('new')
    save.type('old')
    await wait(5000)
    expect(bodies).toEqual([])
    expect(save.state).toBe('saved')
  })

  it('that is too long stays, and says so', async () => {
    const { bodies, open } = server()
    const save = open()
    save.type('ü'.repeat(50_001))
    await wait(1500)
    expect([save.state, bodies.length, save.text.length]).toEqual(['long', 0, 50_001])
    save.type('short')
    await wait(1500)
    expect(save.state).toBe('saved')
  })
})

describe('without a network', () => {
  it('is kept in the tab and sent later', async () => {
    const { draft, line, open } = server()
    const save = open()
    line.cut = 'before'
    save.type('words')
    await wait(1500)
    expect([save.state, save.isDirty]).toEqual(['held', true])
    expect(readDraft('lesson.one')).toMatchObject({ body: 'words' })
    line.cut = ''
    await wait(2000)
    expect([draft.body, save.state]).toEqual(['words', 'saved'])
  })

  it('an answer that was lost is no conflict, whatever was typed meanwhile', async () => {
    const { draft, line, open } = server()
    const save = open()
    line.cut = 'after'
    save.type('words')
    await wait(1500)
    expect(save.state).toBe('held')
    save.type('words, and more')
    line.cut = ''
    await wait(1500)
    expect([draft.body, save.state]).toEqual(['words, and more', 'saved'])
  })

  it('a reload takes up what was kept', async () => {
    const { draft, line, open } = server()
    line.cut = 'after'
    const before = open()
    before.type('words')
    await wait(1500)
    before.type('words, and more')
    before.stop()
    line.cut = ''
    const save = open()
    expect(save.text).toBe('words, and more')
    await wait(1500)
    expect([draft.body, save.state]).toEqual(['words, and more', 'saved'])
  })
})

describe('two editors', () => {
  it('the second is told, loses nothing, and may save over it', async () => {
    const { draft, open, other } = server()
    const save = open()
    save.type('mine')
    other('theirs')
    await wait(1500)
    expect([save.state, save.text, draft.body]).toEqual(['conflict', 'mine', 'theirs'])
    save.type('mine!')
    expect(save.state).toBe('conflict')
    await wait(5000)
    expect(draft.body).toBe('theirs')
    await save.keepMine()
    expect([draft.body, save.state]).toEqual(['mine!', 'saved'])
  })

  it('or takes the other text, and still has its own', async () => {
    const { open, other } = server()
    const save = open()
    save.type('mine')
    other('theirs')
    await wait(1500)
    await save.takeTheirs()
    expect([save.text, save.mine, save.state]).toEqual(['theirs', 'mine', 'saved'])
    save.type('theirs, and mine')
    await wait(1500)
    expect(save.state).toBe('saved')
  })

  it('a reload finds the conflict again', async () => {
    const { open, other } = server()
    const before = open()
    before.type('mine')
    before.stop()
    other('theirs')
    const save = open()
    expect([save.state, save.text]).toEqual(['conflict', 'mine'])
  })
})
