import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RatedBy } from './rated-by'
import { Summary } from './summary'
import { counted, dayOf } from './words'

const tally = { reviews: 12, stars1: 0, stars2: 1, stars3: 0, stars4: 1, stars5: 10 }

test('until the fifth review a rating is the editors’, without a count', () => {
  const { container } = render(<Summary rating={4.6} tally={{ ...tally, reviews: 4 }} />)
  expect(container.querySelector('p')?.textContent).toBe('4.6 · Editors’ rating')
  expect(screen.queryByRole('listitem')).toBeNull()
  render(<RatedBy tally={{ reviews: 4 }} />)
  expect(screen.queryByRole('link')).toBeNull()
})

test('from then on it is the learners’, with a bar for each number of stars', () => {
  const { container } = render(<Summary rating={4.7} tally={tally} />)
  expect(container.querySelector('p')?.textContent).toBe('4.7 · 12 reviews')
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    '5 stars: 10',
    '4 stars: 1',
    '3 stars: 0',
    '2 stars: 1',
    '1 star: 0',
  ])
  const bars = [...container.querySelectorAll('rect:last-child')].map((bar) => Number(bar.getAttribute('width')))
  expect(bars.map(Math.round)).toEqual([83, 8, 0, 8, 0])
  render(<RatedBy tally={{ reviews: 5 }} />)
  expect(screen.getByRole('link', { name: '5 reviews' }).getAttribute('href')).toBe('#reviews')
})

test('days and numbers read the same everywhere', () => {
  expect(dayOf('2026-01-02T23:59:59Z')).toBe('Jan 2, 2026')
  expect([counted(1, 'review'), counted(1234, 'review')]).toEqual(['1 review', '1,234 reviews'])
})
