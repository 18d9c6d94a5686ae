import { fakeBackend } from '@test/backend'
import { show, signIn } from '@test/show'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import type { Review, Standing } from './api'
import { Desk } from './desk'

const review: Review = {
  id: 'r1',
  author_name: 'Ada',
  stars: 4,
  text: 'Clear.',
  state: 'published',
  hidden_for: null,
  reply: null,
  updated_at: '2026-11-16T10:00:00Z',
  created_at: '2026-11-16T10:00:00Z',
}

const nobody: Standing = { may: false, why: 'enroll', mine: null, moderates: false }

const desk = (standing: Standing, one?: Review) => {
  const backend = fakeBackend(({ table }) => {
    if (table.endsWith('review-state')) return { status: 200, body: standing }
    if (table.endsWith('reported-reviews')) return { status: 200, body: { reviews: [] } }
    return table.startsWith('/functions') ? { status: 200, body: {} } : { body: [] }
  })
  return { backend, ...show(<Desk course="c1" review={one} />) }
}

const buttons = () => screen.queryAllByRole('button').map((button) => button.textContent)

beforeEach(signIn)

it('offers what somebody may do with the review of another', async () => {
  for (const [standing, one, wanted] of [
    [nobody, review, ['Report']],
    [{ ...nobody, why: 'teach' }, review, ['Reply', 'Report']],
    [{ ...nobody, why: 'teach' }, { ...review, reply: 'Thank you.' }, ['Report']],
    [{ ...nobody, moderates: true }, review, ['Hide']],
    [{ ...nobody, moderates: true }, { ...review, state: 'hidden', hidden_for: 'Rude.' }, ['Show again']],
  ] as [Standing, Review, string[]][]) {
    const { unmount } = desk(standing, one)
    await waitFor(() => expect(buttons()).toEqual(wanted))
    unmount()
  }
})

it('offers nothing of that for one’s own', async () => {
  const { backend } = desk({ ...nobody, may: true, why: '', mine: review }, review)
  await waitFor(() => expect(backend.calls.length).toBeGreaterThan(0))
  await new Promise((done) => setTimeout(done))
  expect(buttons()).toEqual([])
})

it('sends a report with its reason, and a reply with its words', async () => {
  const { backend } = desk({ ...nobody, why: 'teach' }, review)
  await userEvent.click(await screen.findByRole('button', { name: /^Reply to/ }))
  await userEvent.type(screen.getByLabelText('Your reply'), 'Thank you.')
  await userEvent.click(screen.getByRole('button', { name: 'Post reply' }))
  await waitFor(() =>
    expect(backend.of('POST', '/functions/v1/reply-review')[0]?.body).toEqual({ review: 'r1', text: 'Thank you.' }),
  )
  await userEvent.click(await screen.findByRole('button', { name: /^Report the/ }))
  await userEvent.type(screen.getByLabelText('What is wrong with this review?'), 'Rude.')
  await userEvent.click(screen.getByRole('button', { name: 'Send report' }))
  await waitFor(() =>
    expect(backend.of('POST', '/functions/v1/report-review')[0]?.body).toEqual({ review: 'r1', reason: 'Rude.' }),
  )
})

it('shows the reader their own: to write, to change, or why not', async () => {
  const first = desk({ ...nobody, why: 'watch' })
  await screen.findByText('Finish a lesson first, then tell others what you think.')
  expect(buttons()).toEqual([])
  first.unmount()
  const second = desk({ ...nobody, may: true, why: '' })
  await screen.findByRole('button', { name: 'Post review' })
  second.unmount()
  const third = desk({ ...nobody, mine: review })
  await screen.findByText('Clear.')
  expect(buttons()).toEqual(['Delete'])
  third.unmount()
  desk({ ...nobody, may: true, why: '', mine: { ...review, state: 'hidden', hidden_for: 'Rude.' } })
  await screen.findByText('Rude.')
  expect(buttons()).toEqual(['Edit'])
})
