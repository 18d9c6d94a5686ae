import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Host, type Toast } from './toast-host'

it('three messages stand at a time, the newest', async () => {
  let show: (toast: Toast) => void = () => undefined
  render(
    <Host
      onReady={(present) => {
        show = present
      }}
    />,
  )
  for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) act(() => show({ kind: 'info', text }))
  await screen.findByText('Five')
  await vi.waitFor(() => expect(screen.queryByText('Two')).toBeNull())
  expect(['One', 'Three', 'Four'].map((text) => screen.queryByText(text) !== null)).toEqual([false, true, true])
})
