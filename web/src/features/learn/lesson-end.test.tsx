import { signIn } from '@test/show'
import { done, enrollment, school, showLesson } from '@test/taught'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'

const code = 'ABCD-EFGH-JKLM'
const saved = { position_seconds: 0, covered: '', completed_at: '2026-11-16T10:00:00Z', course_completed_at: null }
const address = () => screen.getByTestId('address').textContent

describe('the end of a course', () => {
  beforeEach(signIn)

  it('leads to the certificate', async () => {
    let isHeld = false
    const backend = school({
      enrollments: () => ({ body: [enrollment] }),
      lesson_progress: () => ({ body: isHeld ? [done('l1'), done('l2')] : [done('l1')] }),
      certificates: () => ({ body: isHeld ? [{ code }] : [] }),
      'save-progress': () => {
        isHeld = true
        return { status: 200, body: { ...saved, done: 2, of: 2, certificate: code } }
      },
    })
    showLesson('l2')
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as complete' }))
    const link = await screen.findByRole('link', { name: /View Certificate/ })
    // What was marked says nothing new of where a film stands: another device may know better.
    expect(backend.of('POST', '/functions/v1/save-progress')[0]?.body).toMatchObject({ at: '1970-01-01T00:00:00.000Z' })
    expect(link.getAttribute('href')).toBe(`/certificate/${code}`)
    await screen.findByText('Course completed! Your certificate is ready.')
    fireEvent.click(screen.getByRole('button', { name: 'View Certificate' }))
    expect(address()).toBe(`/certificate/${code}`)
  })

  it('is the page of the course where there is none', async () => {
    const backend = school({
      enrollments: () => ({ body: [enrollment] }),
      lesson_progress: () => ({ body: [done('l1'), done('l2')] }),
    })
    showLesson('l2')
    await waitFor(() => expect(backend.of('GET', 'certificates')).toHaveLength(1))
    screen.getByRole('link', { name: /Back to the course/ })
    expect(screen.queryByRole('link', { name: /View Certificate/ })).toBeNull()
  })
})
