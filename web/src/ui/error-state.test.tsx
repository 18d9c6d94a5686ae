import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { ErrorState } from './error-state'

function Page({ failed, title = 'It failed' }: { failed: boolean; title?: string }) {
  return (
    <main id="content" tabIndex={-1}>
      {failed ? <ErrorState title={title} onRetry={() => undefined} /> : 'Loading'}
    </main>
  )
}

const button = () => screen.getByRole('button', { name: 'Try again' })

it('keeps the focus of who tries again: at the content, and at the button if it was in vain', async () => {
  const { rerender } = render(<Page failed />)
  expect(document.activeElement).toBe(document.body)
  await userEvent.click(button())
  rerender(<Page failed={false} />)
  expect(document.activeElement).toBe(screen.getByRole('main'))
  rerender(<Page failed />)
  expect(document.activeElement).toBe(button())
  rerender(<Page failed={false} />)
  rerender(<Page failed title="Another" />)
  expect(document.activeElement).toBe(screen.getByRole('main'))
})
