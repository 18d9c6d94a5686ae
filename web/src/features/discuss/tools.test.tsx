import { fakeBackend } from '@test/backend'
import { show, signIn } from '@test/show'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { Tools } from './tools'

const post = (more: object = {}) => ({
  id: 'p1',
  mine: true,
  hidden_at: null,
  hidden_by_admin: false,
  created_at: new Date(Date.now() - 14 * 60_000).toISOString(),
  ...more,
})

const tools = (one: ReturnType<typeof post>, minds = false) =>
  show(
    <Tools kind="answer" post={one} minds={minds} isReported={false} mayDelete={one.mine} onEdit={() => undefined} />,
  )

const has = (name: string) => screen.queryByRole('button', { name }) !== null

beforeEach(() => {
  signIn()
  fakeBackend(() => ({ status: 200, body: {} }))
})

it('lets authors change their words for a quarter of an hour', async () => {
  const { unmount } = tools(post())
  await waitFor(() => expect(has('Edit')).toBe(true))
  unmount()
  for (const one of [
    post({ created_at: new Date(Date.now() - 16 * 60_000).toISOString() }),
    post({ mine: false }),
    post({ hidden_at: new Date().toISOString() }),
  ]) {
    const shown = tools(one)
    await new Promise((done) => setTimeout(done))
    expect(has('Edit')).toBe(false)
    shown.unmount()
  }
})

it('lets readers report what others wrote, and teachers hide it for a reason', async () => {
  const { unmount } = tools(post({ mine: false }))
  expect([has('Report'), has('Hide')]).toEqual([true, false])
  unmount()
  const backend = fakeBackend(() => ({ status: 200, body: {} }))
  tools(post({ mine: false }), true)
  await userEvent.click(screen.getByRole('button', { name: 'Hide' }))
  await userEvent.type(await screen.findByLabelText('Reason'), 'An ad.')
  const [, hide] = screen.getAllByRole('button', { name: /Hide/, hidden: true })
  await userEvent.click(hide as HTMLElement)
  await waitFor(() =>
    expect(backend.of('POST', '/functions/v1/hide-post')[0]?.body).toEqual({
      kind: 'answer',
      id: 'p1',
      reason: 'An ad.',
    }),
  )
})
