import { signIn, signOut } from '@test/show'
import { enrollment, offer, school, showLesson } from '@test/taught'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

const side = () => within(screen.getByRole('complementary', { name: 'Course outline' }))

describe('who looks into a lesson that anybody may see', () => {
  it('can enroll below it and beside it', async () => {
    signOut()
    school()
    showLesson('l1')
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Enroll for Free' })).toHaveLength(2))
    expect(screen.getAllByText('Free · 2 lessons')).toHaveLength(2)
    expect(side().getAllByRole('button')).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Mark as complete' })).toBeNull()
  })

  it('goes on as a learner where they pressed', async () => {
    signIn()
    let rows: object[] = []
    school({
      'GET enrollments': () => ({ body: rows }),
      'POST enrollments': () => {
        rows = [enrollment]
        return {}
      },
    })
    showLesson('l1')
    await userEvent.click((await screen.findAllByRole('button', { name: 'Enroll for Free' }))[0] as HTMLElement)
    const mark = await screen.findByRole('button', { name: 'Mark as complete' })
    await waitFor(() => expect(document.activeElement).toBe(mark))
    expect(screen.queryByRole('button', { name: 'Enroll for Free' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Start Course' })).toBeNull()
  })

  it('is offered nothing where nobody can enroll', async () => {
    signOut()
    school({ course_offers: () => ({ body: [{ ...offer, open: false }] }) })
    showLesson('l1')
    await screen.findByText('Stand in the light.')
    await side().findByText('2 lessons')
    expect(screen.queryByRole('button', { name: 'Enroll for Free' })).toBeNull()
  })
})
