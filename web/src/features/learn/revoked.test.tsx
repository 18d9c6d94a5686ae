import { duplicate } from '@test/backend'
import { show, signIn } from '@test/show'
import {
  answerOf,
  course,
  done,
  enrollment,
  lessons,
  offer,
  revoked,
  school,
  showEnroll,
  showLesson,
} from '@test/taught'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { Enroll, PriceLine } from './enroll'

const ended = 'Your access to this course was ended.'

it('a course that lets nobody new in says so, and who is in goes on', async () => {
  signIn()
  school({ enrollments: () => ({ body: [] }) })
  const closed = { ...offer, open: false }
  const { unmount } = show(<Enroll course={course} offer={closed} lessons={lessons} />)
  await screen.findByText('Enrollment is closed.')
  expect(screen.queryByRole('button')).toBeNull()
  unmount()
  school({ enrollments: () => ({ body: [enrollment] }) })
  show(<Enroll course={course} offer={closed} lessons={lessons} />)
  await screen.findByRole('link', { name: 'Start Course' })
  expect(screen.queryByText('Enrollment is closed.')).toBeNull()
})

describe('access that was ended', () => {
  beforeEach(signIn)

  it('is said in place of the button, with who can help', async () => {
    school({ enrollments: () => ({ body: [revoked] }) })
    showEnroll()
    await screen.findByText(ended)
    expect(screen.getByRole('link', { name: 'Contact support' }).getAttribute('href')).toBe('/help-center')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('leaves no price to pay', async () => {
    const backend = school({ enrollments: () => ({ body: [revoked] }) })
    show(<PriceLine course={course} offer={offer} lessons={lessons} />)
    screen.getByText('Free · 2 lessons')
    await waitFor(() => expect(screen.queryByText('Free · 2 lessons')).toBeNull())
    expect(backend.of('GET', 'enrollments')).toHaveLength(1)
  })

  it('is said to who presses before the page knows, and takes the focus on', async () => {
    let rows: object[] = []
    school({
      'GET enrollments': () => ({ body: rows }),
      'POST enrollments': () => {
        rows = [revoked]
        return duplicate
      },
    })
    showEnroll()
    await userEvent.click(await screen.findByRole('button', { name: 'Enroll for Free' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Contact support' })))
    expect(screen.queryByText("You're already enrolled")).toBeNull()
  })

  it('is found out by a lesson that no longer opens', async () => {
    let reads = 0
    school({
      lesson: () => ({ status: 200, body: answerOf('l2', { access: 'enroll', body: '' }) }),
      enrollments: () => ({ body: [reads++ === 0 ? enrollment : revoked] }),
      lesson_progress: () => ({ body: [done('l1'), done('l2')] }),
    })
    showLesson('l2')
    await screen.findByText(ended)
    expect(screen.queryByRole('link', { name: 'Watch Again' })).toBeNull()
  })
})
