import { signIn } from '@test/show'
import { enrollment, school, showLesson } from '@test/taught'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { waitingOf } from './save'

beforeEach(signIn)

it('a lesson marked without a network is done at once, and told to the server later', async () => {
  let isAway = true
  const saved = { position_seconds: 0, covered: '', completed_at: '2026-11-16T10:00:00Z', done: 1, of: 2 }
  const backend = school({
    enrollments: () => ({ body: [enrollment] }),
    'save-progress': () => (isAway ? 'no network' : { status: 200, body: saved }),
  })
  showLesson('l1')
  await userEvent.click(await screen.findByRole('button', { name: 'Mark as complete' }))
  await screen.findByText('Kept. Sent when you are back online.')
  screen.getByText('Completed')
  expect(screen.queryByText(/^Failed/)).toBeNull()
  expect(waitingOf('l1')).toMatchObject({ complete: true })
  const before = backend.of('GET', 'lesson_progress').length
  isAway = false
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(waitingOf('l1')).toBeUndefined())
  await waitFor(() => expect(backend.of('GET', 'lesson_progress').length).toBeGreaterThan(before))
  screen.getByText('Completed')
})
