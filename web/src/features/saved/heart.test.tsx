import { broken, duplicate, fakeBackend } from '@test/backend'
import { reader, show, signIn, signOut, start } from '@test/show'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Profiler } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberWanted } from '@/lib/memory'
import { resumePress } from '@/lib/session'
import { useSavedIds } from './api'
import { Heart } from './heart'

const course = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const heart = () => screen.getByRole('button', { name: /My List$/ })
const heartIs = (liked: boolean) => expect(heart().getAttribute('aria-pressed')).toBe(String(liked))

const seen: (string[] | undefined)[] = []
function List() {
  seen.push(useSavedIds().data)
  return null
}

describe('the heart', () => {
  beforeEach(signIn)

  it('asks a visitor to log in and stores nothing', async () => {
    signOut()
    const backend = fakeBackend(() => ({ body: [] }))
    show(<Heart courseId={course} title="The Audition Room" />)
    await userEvent.click(heart())
    await screen.findByText('Please log in to save courses')
    expect(backend.calls).toEqual([])
    expect(screen.getByTestId('address').textContent).toBe('/')
  })

  it('counts a press from before it is known who is here', async () => {
    start()
    const backend = fakeBackend(({ method }) => (method === 'GET' ? { body: [] } : {}))
    show(<Heart courseId={course} title="The Audition Room" />)
    await userEvent.click(heart())
    expect(backend.calls).toEqual([])
    act(signIn)
    await screen.findByText('Added to My List')
    expect(backend.of('POST', 'saved_courses')[0]?.body).toEqual({ user_id: reader.id, course_id: course })
  })

  it.each([
    ['saves it', [], 'Added to My List'],
    ['takes nothing off the list', [{ id: '1', course_id: course }], 'Already in My List'],
  ])('%s after a stranger who pressed it has signed in', async (_, rows, text) => {
    signOut()
    const backend = fakeBackend(({ method }) => (method === 'GET' ? { body: rows } : rows.length > 0 ? duplicate : {}))
    const { unmount } = show(<Heart courseId={course} title="The Audition Room" />)
    await userEvent.click(heart())
    fireEvent.click(await screen.findByRole('button', { name: 'Sign in' }))
    unmount()
    signIn()
    resumePress()
    show(<Heart courseId={course} title="The Audition Room" />)
    expect((await screen.findByText(text)).isConnected).toBe(true)
    expect(backend.of('POST', 'saved_courses')).toHaveLength(1)
    expect(backend.of('DELETE', 'saved_courses')).toEqual([])
  })

  it('is left alone after a stranger who pressed it has signed in for something else', async () => {
    signOut()
    const backend = fakeBackend(() => ({ body: [] }))
    const { unmount } = show(<Heart courseId={course} title="The Audition Room" />)
    await userEvent.click(heart())
    unmount()
    rememberWanted('/')
    signIn()
    resumePress()
    show(<Heart courseId={course} title="The Audition Room" />)
    await waitFor(() => expect(backend.of('GET', 'saved_courses')).toHaveLength(1))
    expect(backend.of('POST', 'saved_courses')).toEqual([])
  })

  it('is alone in being drawn anew when it is pressed', async () => {
    let rows: object[] = []
    fakeBackend(({ method }) => {
      if (method === 'POST') rows = [{ id: '1', course_id: course }]
      return method === 'GET' ? { body: rows } : {}
    })
    const drawn = vi.fn()
    show(
      <>
        <List />
        <Heart courseId={course} title="The Audition Room" />
        <Profiler id="other" onRender={drawn}>
          <Heart courseId={reader.id} title="Another" />
        </Profiler>
      </>,
    )
    await waitFor(() => expect(seen.at(-1)).toEqual([]))
    drawn.mockClear()
    await userEvent.click(screen.getByRole('button', { name: 'Save The Audition Room to My List' }))
    await screen.findByText('Added to My List')
    await screen.findByRole('button', { name: 'Remove The Audition Room from My List' })
    expect(drawn).not.toHaveBeenCalled()
  })

  it('saves a course at once and takes it off again', async () => {
    let rows: object[] = []
    const backend = fakeBackend(({ method, body }) => {
      if (method === 'POST') rows = [body as object]
      if (method === 'DELETE') rows = []
      return method === 'GET' ? { body: rows } : {}
    })
    show(<Heart courseId={course} title="The Audition Room" />)
    await screen.findByRole('button', { name: 'Save The Audition Room to My List' })
    await userEvent.click(heart())
    heartIs(true)
    await screen.findByText('Added to My List')
    expect(backend.of('POST', 'saved_courses')[0]?.body).toEqual({ user_id: reader.id, course_id: course })
    await userEvent.click(heart())
    heartIs(false)
    await screen.findByText('Removed from My List')
    const [removal] = backend.of('DELETE', 'saved_courses')
    expect(removal?.query.get('user_id')).toBe(`eq.${reader.id}`)
    expect(removal?.query.get('course_id')).toBe(`eq.${course}`)
  })

  it('saves once when it is pressed again before it has shown', async () => {
    let rows: object[] = []
    const backend = fakeBackend(({ method, body }) => {
      if (method === 'POST') rows = [body as object]
      return method === 'GET' ? { body: rows } : {}
    })
    show(<Heart courseId={course} title="The Audition Room" />)
    fireEvent.click(heart())
    fireEvent.click(heart())
    await screen.findByText('Added to My List')
    heartIs(true)
    expect(backend.of('POST', 'saved_courses')).toHaveLength(1)
  })

  it('ends as the last press says, however many there were', async () => {
    let rows: object[] = []
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    const backend = fakeBackend(async ({ method, body }) => {
      if (method !== 'GET') await held
      if (method === 'POST') rows = [body as object]
      if (method === 'DELETE') rows = []
      return method === 'GET' ? { body: rows } : {}
    })
    show(<Heart courseId={course} title="The Audition Room" />)
    await screen.findByRole('button', { name: 'Save The Audition Room to My List' })
    for (const liked of [true, false, true]) {
      await userEvent.click(heart())
      await waitFor(() => heartIs(liked))
    }
    answer()
    await waitFor(() => expect(backend.of('POST', 'saved_courses')).toHaveLength(2))
    await screen.findAllByText('Added to My List')
    heartIs(true)
  })

  it('goes back when the server fails', async () => {
    fakeBackend(({ method }) => (method === 'GET' ? { body: [] } : broken))
    show(<Heart courseId={course} title="The Audition Room" />)
    await userEvent.click(heart())
    await screen.findByText('Failed to update saved courses')
    heartIs(false)
  })

  it('goes back when there is no network', async () => {
    fakeBackend(({ method }) => (method === 'GET' ? { body: [{ id: '1', course_id: course }] } : 'no network'))
    show(<Heart courseId={course} title="The Audition Room" />)
    await screen.findByRole('button', { name: /^Remove/ })
    await userEvent.click(heart())
    await screen.findByText('Failed to update saved courses')
    heartIs(true)
  })

  it.each([
    ['fails', broken, 'Failed to update saved courses', false],
    ['works', {}, 'Added to My List', true],
  ])('does not make a list up where none could be loaded, when saving %s', async (_, reply, text, liked) => {
    seen.length = 0
    fakeBackend(({ method }) => (method === 'GET' ? broken : reply))
    show(
      <>
        <Heart courseId={course} title="The Audition Room" />
        <List />
      </>,
    )
    await userEvent.click(heart())
    expect((await screen.findByText(text)).isConnected).toBe(true)
    heartIs(liked)
    expect(new Set(seen)).toEqual(new Set([undefined]))
  })

  it('stays filled when the course was saved elsewhere already', async () => {
    let saved = false
    fakeBackend(({ method }) => {
      if (method === 'GET') return { body: saved ? [{ id: '1', course_id: course }] : [] }
      saved = true
      return duplicate
    })
    show(<Heart courseId={course} title="The Audition Room" />)
    await userEvent.click(heart())
    await screen.findByText('Already in My List')
    heartIs(true)
  })
})
