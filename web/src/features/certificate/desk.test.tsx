import { fakeBackend } from '@test/backend'
import { reader, show, signIn } from '@test/show'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { type Certificate, nameless } from './api'
import { Desk } from './desk'

const paper: Certificate = {
  state: 'valid',
  code: 'ABCD-EFGH-JKLM',
  holder: nameless,
  course_title: 'The Room',
  course_id: 'c1',
  instructor: 'Mara Ellison',
  lessons: 2,
  seconds: 0,
  issued_at: '2026-11-16T10:00:00Z',
  revoked_at: null,
  qr: { size: 1, path: '' },
}

type Known = { user_id: string | null; revoked_for: string | null }

const desk = (certificate: Certificate, known: Known | null, isAdmin = false) => {
  const backend = fakeBackend(({ table, method }) => {
    if (method === 'PATCH') return { status: 200, body: { id: 'x' } }
    if (table === 'certificates') return { body: known ? [known] : [] }
    if (table.startsWith('/functions')) return { status: 200, body: certificate }
    return { body: isAdmin ? [{ role: 'admin', user_id: reader.id }] : [] }
  })
  const shown = show(<Desk certificate={certificate} user={reader.id} />)
  return { backend, ...shown }
}

const mine: Known = { user_id: reader.id, revoked_for: null }
const settled = (backend: { calls: unknown[] }) => waitFor(() => expect(backend.calls.length).toBeGreaterThan(1))

beforeEach(signIn)

it('lets its holder put their name on it, once it is theirs, nameless and valid', async () => {
  const { backend, unmount } = desk(paper, mine)
  await userEvent.click(await screen.findByRole('button', { name: 'Add My Name' }))
  const sure = await screen.findByRole('alertdialog')
  expect(backend.of('POST', '/functions/v1/name-certificate')).toHaveLength(0)
  await userEvent.click(within(sure).getByRole('button', { name: 'Add My Name' }))
  await waitFor(() => expect(backend.of('POST', '/functions/v1/name-certificate')).toHaveLength(1))
  expect(screen.queryByRole('button', { name: /Certificate/ })).toBeNull()
  unmount()
  for (const [other, known] of [
    [paper, { user_id: '22222222-2222-4222-8222-222222222222', revoked_for: null }],
    [paper, null],
    [{ ...paper, holder: 'Mara' }, mine],
    [
      { ...paper, revoked_at: '2026-11-16T11:00:00Z' },
      { ...mine, revoked_for: 'Copied.' },
    ],
  ] as const) {
    const again = desk(other, known)
    if (known?.revoked_for) await screen.findByText('Copied.')
    else await settled(again.backend)
    expect(screen.queryByRole('button')).toBeNull()
    again.unmount()
  }
})

it('lets admins withdraw it for a reason, and give it back', async () => {
  const { backend, unmount } = desk({ ...paper, holder: 'Ada' }, null, true)
  await screen.findByRole('button', { name: 'Withdraw Certificate' })
  expect(backend.of('PATCH', 'certificates')).toHaveLength(0)
  unmount()
  const gone = { ...paper, holder: 'Ada', revoked_at: '2026-11-16T11:00:00Z' }
  const back = desk(gone, { user_id: null, revoked_for: 'Copied.' }, true)
  await userEvent.click(await screen.findByRole('button', { name: 'Restore Certificate' }))
  await waitFor(() => expect(back.backend.of('PATCH', 'certificates')).toHaveLength(1))
  expect(back.backend.of('PATCH', 'certificates')[0]?.body).toEqual({ revoked_at: null, revoked_for: null })
})
