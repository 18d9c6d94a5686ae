import type { Session } from '@supabase/auth-js'
import { broken, type Call, duplicate, fakeBackend } from '@test/backend'
import { reader, show, signIn, signOut, start } from '@test/show'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { readPress, takeWanted } from '@/lib/memory'
import { provideSession, resumePress } from '@/lib/session'
import { JoinButton } from './join-button'
import { JoinOrLeave } from './join-or-leave'

const title = 'The Audition Room'
const entry = {
  id: 'e1',
  user_id: reader.id,
  course_title: title,
  course_id: null,
  created_at: '2026-11-01T10:00:00+00:00',
}
const button = () => screen.getByRole<HTMLButtonElement>('button')
const reads = (...rows: object[]) => ({ body: rows })

/** A data API with one list that joining fills and leaving empties. */
function list(...rows: object[]) {
  let stored = rows
  return ({ method, body }: Call) => {
    if (method === 'POST') stored = [{ ...entry, ...([body].flat()[0] as object) }]
    if (method === 'DELETE') stored = []
    return method === 'GET' ? { body: stored } : {}
  }
}

describe('a press from before it is known who is here', () => {
  for (const [name, part] of Object.entries({
    'on a card': <JoinButton courseTitle={title} />,
    'on the course page': <JoinOrLeave courseTitle={title} />,
  })) {
    it(`joins once it is, ${name}`, async () => {
      start()
      const backend = fakeBackend(list())
      show(part)
      await userEvent.click(button())
      expect(backend.calls).toEqual([])
      act(signIn)
      await waitFor(() => expect(backend.of('POST', 'course_waitlist')).toHaveLength(1))
      expect([backend.of('POST', 'course_waitlist')[0]?.body].flat()[0]).toMatchObject({ user_id: reader.id })
      await screen.findByText(/^Added to waitlist/) // or the next test would find it
    })
  }
})

describe('a press and another before the first has shown', () => {
  beforeEach(signIn)
  const twice = () => {
    fireEvent.click(button())
    fireEvent.click(button())
  }

  for (const [name, part, after, text] of [
    ['a card', <JoinButton key="card" courseTitle={title} />, 'On Waitlist', /^Added to waitlist/],
    ['the course page', <JoinOrLeave key="page" courseTitle={title} />, 'Leave Waitlist', 'Added to waitlist'],
  ] as const)
    it(`join once, on ${name}`, async () => {
      const backend = fakeBackend(list())
      show(part)
      twice()
      await waitFor(() => expect(button().textContent).toContain(after))
      await screen.findByText(text)
      expect(backend.of('POST', 'course_waitlist')).toHaveLength(1)
      expect(screen.getAllByText(text)).toHaveLength(1)
    })

  it('leave once', async () => {
    const backend = fakeBackend(list(entry))
    show(<JoinOrLeave courseTitle={title} />)
    await screen.findByRole('button', { name: 'Leave Waitlist' })
    twice()
    await screen.findByText('Removed from waitlist')
    await screen.findByRole('button', { name: 'Join Waitlist' })
    expect(backend.of('DELETE', 'course_waitlist')).toHaveLength(1)
    expect(screen.getAllByText('Removed from waitlist')).toHaveLength(1)
  })
})

describe("a stranger's press", () => {
  for (const [name, part, after] of [
    ['a card', <JoinButton key="card" courseTitle={title} />, 'On Waitlist'],
    ['the course page', <JoinOrLeave key="page" courseTitle={title} />, 'Leave Waitlist'],
  ] as const) {
    const again = async (...rows: object[]) => {
      signOut()
      const backend = fakeBackend(list(...rows))
      const { unmount } = show(part)
      await userEvent.click(button())
      if (name === 'the course page') fireEvent.click(await screen.findByRole('button', { name: 'Sign in' }))
      unmount()
      expect(readPress().words).toBe(`join the waitlist for ${title}`)
      // As after sign-in, which leads back to the page.
      signIn()
      resumePress()
      show(
        <>
          <div>{part}</div>
          <div>{part}</div>
        </>,
      )
      await waitFor(() => expect(screen.getAllByRole('button')[0]?.textContent).toContain(after))
      return backend
    }

    it(`counts once after sign-in, on ${name}`, async () => {
      const backend = await again()
      expect(backend.of('POST', 'course_waitlist')).toHaveLength(1)
      expect(readPress().words).toBe('')
    })

    it(`never leaves a waitlist, on ${name}`, async () => {
      const backend = await again(entry)
      expect(backend.of('DELETE', 'course_waitlist')).toEqual([])
    })
  }
})

describe("a card's waitlist button", () => {
  beforeEach(signIn)

  it('sends a visitor to sign in and brings them back', async () => {
    signOut()
    const backend = fakeBackend(() => reads())
    show(<JoinButton courseTitle={title} />, '/trending?x=1')
    await userEvent.click(button())
    await screen.findByText('Please log in to join the waitlist')
    expect(screen.getByTestId('address').textContent).toBe('/auth')
    expect(takeWanted()).toBe('/trending?x=1')
    expect(backend.calls).toEqual([])
  })

  it('sends a guest for an account', async () => {
    const guest = { user: { ...reader, is_anonymous: true }, access_token: 'token' } as unknown as Session
    provideSession({ status: 'signed-in', session: guest })
    const backend = fakeBackend(() => reads())
    show(<JoinButton courseTitle={title} />, '/trending')
    await userEvent.click(button())
    await screen.findByText('Please log in to join the waitlist')
    expect(backend.of('POST', 'course_waitlist')).toEqual([])
    expect(readPress().words).toBe(`join the waitlist for ${title}`)
  })

  it('says that it is busy, then that the reader waits', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const answer = list()
    const backend = fakeBackend(async (call) => {
      if (call.method === 'POST') await held
      return answer(call)
    })
    show(<JoinButton courseTitle={title} />)
    await userEvent.click(button())
    expect(button().textContent).toContain('Joining...')
    expect(button().disabled).toBe(true)
    release()
    await screen.findByText("Added to waitlist! We'll notify you when this course launches.")
    expect(button().textContent).toContain('On Waitlist')
    expect(button().disabled).toBe(true)
    expect(backend.of('POST', 'course_waitlist')[0]?.body).toEqual([
      { user_id: reader.id, course_title: title, email: reader.email },
    ])
  })

  it('counts a duplicate as joined', async () => {
    let joined = false
    fakeBackend(({ method }) => {
      if (method === 'GET') return joined ? reads(entry) : reads()
      joined = true
      return duplicate
    })
    show(<JoinButton courseTitle={title} />)
    await userEvent.click(button())
    await screen.findByText("You're already on the waitlist!")
    await waitFor(() => expect(button().textContent).toContain('On Waitlist'))
  })

  it("shows the server's words when it refuses", async () => {
    fakeBackend(({ method }) =>
      method === 'GET'
        ? reads()
        : { status: 403, body: { code: '42501', message: 'Not for you.', details: null, hint: null } },
    )
    show(<JoinButton courseTitle={title} />)
    await userEvent.click(button())
    await screen.findByText('Not for you.')
    expect(button().textContent).toContain('Join Waitlist')
  })

  it('says that it failed when there is no network, and changes nothing', async () => {
    fakeBackend(({ method }) => (method === 'GET' ? reads() : 'no network'))
    show(<JoinButton courseTitle={title} />)
    await userEvent.click(button())
    await screen.findByText('Failed to join waitlist')
    expect(button().textContent).toContain('Join Waitlist')
    expect(button().disabled).toBe(false)
  })
})

describe('without the list of what the reader waits for', () => {
  beforeEach(signIn)
  for (const [name, part, after] of [
    ['a card', <JoinButton key="card" courseTitle={title} />, 'On Waitlist'],
    ['the course page', <JoinOrLeave key="page" courseTitle={title} />, 'Leave Waitlist'],
  ] as const) {
    // The course page looks for its entry before it joins; the list itself cannot be read.
    const answer = (works: boolean) => (call: Call) =>
      call.method === 'GET' ? (call.query.has('course_title') ? reads() : broken) : works ? {} : broken

    it(`${name} shows what was done there`, async () => {
      fakeBackend(answer(true))
      show(part)
      await userEvent.click(button())
      await waitFor(() => expect(button().textContent).toContain(after))
    })

    it(`${name} shows nothing that was not done`, async () => {
      fakeBackend(answer(false))
      show(part)
      await userEvent.click(button())
      expect((await screen.findByText(/^Failed to join waitlist|^internal$/)).isConnected).toBe(true)
      expect(button().textContent).toContain('Join Waitlist')
    })
  }
})

describe("the course page's waitlist button", () => {
  beforeEach(signIn)

  it('asks a visitor to sign in and stays where it is', async () => {
    signOut()
    fakeBackend(() => reads())
    show(<JoinOrLeave courseTitle={title} />, '/course/x')
    await userEvent.click(button())
    await screen.findByText('Authentication required')
    screen.getByText('Please sign in to join the waitlist')
    expect(screen.getByTestId('address').textContent).toBe('/course/x')
  })

  it('looks, joins with the name, and leaves again', async () => {
    const backend = fakeBackend(list())
    show(<JoinOrLeave courseTitle={title} />)
    await userEvent.click(button())
    await screen.findByText('Added to waitlist')
    expect(backend.of('POST', 'course_waitlist')[0]?.body).toEqual({
      user_id: reader.id,
      course_title: title,
      email: reader.email,
      name: 'Mara',
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Leave Waitlist' }))
    await screen.findByText('Removed from waitlist')
    expect(button().textContent).toBe('Join Waitlist')
    expect(backend.of('DELETE', 'course_waitlist')).toHaveLength(1)
  })

  it('says that the reader waits already', async () => {
    let looks = 0
    const backend = fakeBackend(() => (looks++ === 0 ? reads() : reads({ id: 'e1' })))
    show(<JoinOrLeave courseTitle={title} />)
    await waitFor(() => expect(looks).toBe(1))
    await userEvent.click(button())
    await screen.findByText('Already on waitlist')
    expect(backend.of('POST', 'course_waitlist')).toEqual([])
  })

  it.each([
    ['join', 'Failed to join waitlist. Please try again.', 'Join Waitlist', []],
    ['leave', 'Failed to remove from waitlist. Please try again.', 'Leave Waitlist', [entry]],
  ])('stays as it was when it cannot %s', async (_, text, name, rows) => {
    fakeBackend(({ method }) => (method === 'GET' ? reads(...rows) : broken))
    show(<JoinOrLeave courseTitle={title} />)
    await userEvent.click(await screen.findByRole('button', { name }))
    await screen.findByText(text)
    await screen.findByRole('button', { name })
  })
})
