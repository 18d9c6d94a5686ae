import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Preview } from './preview'

const course = { title: '', instructor: '', category: '', level: '', rating: '', coming_soon: false }

it('the preview asks for the picture when its address is typed, not for every beginning of it', async () => {
  const { rerender } = render(<Preview course={{ ...course, thumbnail: '' }} />)
  for (const thumbnail of ['/a', '/art/reel', '/art/reel.webp']) {
    rerender(<Preview course={{ ...course, thumbnail }} />)
    expect(screen.queryByRole('img')).toBeNull()
  }
  expect((await screen.findByRole('img')).getAttribute('src')).toBe('/art/reel.webp')
})
