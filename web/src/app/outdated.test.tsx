import { useQuery } from '@tanstack/react-query'
import { fakeBackend } from '@test/backend'
import { show } from '@test/show'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type CourseSummary, trendingRow } from '@/features/catalog/api'
import { CourseRow } from '@/features/catalog/course-row'
import { readQuery } from '@/lib/query'
import { Shell } from './shell'

const course: CourseSummary = {
  id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  title: 'The Audition Room',
  instructor: 'Ines Marlow',
  duration: '6 weeks',
  category: 'Acting & Performance',
  thumbnail: '',
  lessons: 12,
  level: 'Beginner',
  rating: 4.9,
  coming_soon: false,
  launch_at: null,
}

function Renew() {
  const { refetch } = useQuery(readQuery(trendingRow))
  return (
    <button type="button" onClick={() => void refetch()}>
      Renew
    </button>
  )
}

it('what was shown stays when it cannot be renewed, and a quiet note says that it may be old', async () => {
  let works = true
  fakeBackend(() => (works ? { body: [course] } : 'no network'))
  show(
    <Shell>
      <CourseRow title="Trending Now" read={trendingRow} />
      <Renew />
    </Shell>,
  )
  const card = () => screen.getByRole('link', { name: /The Audition Room/ })
  await waitFor(() => expect(card().isConnected).toBe(true))
  expect(screen.queryByText('What you see may be out of date.')).toBeNull()
  works = false
  await userEvent.click(screen.getByRole('button', { name: 'Renew' }))
  expect((await screen.findByText('What you see may be out of date.')).closest('[role=status]')).not.toBeNull()
  expect(card().isConnected).toBe(true)
  expect(screen.queryByRole('alert')).toBeNull()
  works = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('What you see may be out of date.')).toBeNull())
  expect(card().isConnected).toBe(true)
})
