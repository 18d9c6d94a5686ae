import { show, signIn, signOut } from '@test/show'
import { enrollment, lesson, school } from '@test/taught'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { CourseOutline } from './course-outline'
import { moment } from './words'

const later = '2099-11-28T13:30:00Z'
const lessons = [
  lesson('l1', { release_days: 3 }),
  lesson('l2', { release_days: 1 }),
  lesson('l3', { release_at: later, release_days: 3 }),
  lesson('l4', { release_at: '2026-01-01T10:00:00Z' }),
  lesson('l5', { preview: true, release_days: 3 }),
]
const opens = () => screen.queryAllByText(/^Opens/).map(({ textContent }) => textContent)

it('a stranger reads when the lessons of a course open', async () => {
  signOut()
  school()
  show(<CourseOutline course="c1" lessons={lessons} />)
  await screen.findByText('Lesson l1')
  const moments = [
    'Opens 3 days after you enroll',
    'Opens 1 day after you enroll',
    `Opens ${moment(Date.parse(later))}`,
  ]
  expect(opens()).toEqual(moments)
})

it('a learner reads the moment, while it is to come', async () => {
  signIn()
  school({ enrollments: () => ({ body: [enrollment] }) })
  show(<CourseOutline course="c1" lessons={lessons} />)
  await screen.findByRole('link', { name: 'Lesson l1' })
  expect(opens()).toEqual([`Opens ${moment(Date.parse(later))}`])
})
