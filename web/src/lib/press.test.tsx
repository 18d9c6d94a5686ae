import { show, signIn, signOut } from '@test/show'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { resumePress, usePress } from './session'
import { useSignIn } from './sign-in'

const work = vi.fn()

function Card() {
  const signIn = useSignIn()
  const press = usePress({ button: 'b', words: 'do it' }, (isSignedIn, _, pressed) =>
    isSignedIn ? work() : signIn(pressed),
  )
  return (
    <article>
      <a href="/course/1">Timing</a>
      <button type="button" {...press}>
        Press
      </button>
    </article>
  )
}

const page = ['First', 'Second', 'Third'].map((row) => (
  <section key={row} aria-label={row}>
    <Card />
  </section>
))

it('who pressed in the third row stands in the third row after sign-in, and it is done once', async () => {
  act(signOut)
  const { unmount } = show(page)
  fireEvent.click(screen.getAllByRole('button', { name: 'Press' })[2] as HTMLElement)
  unmount()
  act(signIn)
  resumePress()
  show(page)
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('link')[2]))
  expect(work).toHaveBeenCalledOnce()
})

it('who pressed what stays to be pressed, as a heart does, stands at it', async () => {
  act(signOut)
  const first = show(page)
  fireEvent.click(screen.getAllByRole('button', { name: 'Press' })[1] as HTMLElement)
  first.unmount()
  act(signIn)
  resumePress()
  show(page)
  for (const button of screen.getAllByRole('button', { name: 'Press' })) button.setAttribute('aria-pressed', 'true')
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('button', { name: 'Press' })[1]))
})
