import { show, signIn } from '@test/show'
import { enrollment, school, showLesson } from '@test/taught'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Trailer } from './trailer'

const hasFocus = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })))

describe('the focus goes on with what comes in the place of a button', () => {
  beforeEach(signIn)

  it('when a lesson is marked, and when that is taken back', async () => {
    const saved = { position_seconds: 0, covered: '', done: 1, of: 2, certificate: null }
    school({
      enrollments: () => ({ body: [enrollment] }),
      'save-progress': ({ body }) => ({
        status: 200,
        body: { ...saved, completed_at: (body as { complete: boolean }).complete ? '2026-11-16T10:00:00Z' : null },
      }),
    })
    showLesson('l1')
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as complete' }))
    await hasFocus('Undo')
    await userEvent.keyboard('{Enter}')
    await hasFocus('Mark as complete')
  })

  it('when a trailer begins', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue()
    vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue()
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
    const play = { video: 'v1', state: 'ready', hls: '', file: '/media/x/v1/file.mp4', poster: '', thumbs: '' }
    school({ 'play-video': () => ({ status: 200, body: { ...play, captions: [], seconds: 12, problem: '' } }) })
    show(<Trailer video="v1" title="The Room" still={null} poster="" />)
    await userEvent.click(screen.getByRole('button', { name: 'Watch Trailer' }))
    await hasFocus('Play')
  })
})
