import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Field } from '@/ui/field'
import { PictureField, type PictureState } from './picture-field'

/** A request that does what the test tells it to. */
class Wire {
  static last: Wire
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  status = 0
  responseText = ''
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  sent: unknown
  constructor() {
    Wire.last = this
  }
  open() {}
  setRequestHeader() {}
  send(body: unknown) {
    this.sent = body
  }
  abort() {
    this.onabort()
  }
  answer(status: number, body: string) {
    this.status = status
    this.responseText = body
    this.onload()
  }
}
beforeEach(() => void vi.stubGlobal('XMLHttpRequest', Wire))
afterEach(() => void vi.unstubAllGlobals())

const picture = (type = 'image/png') => new File(['x'], 'still', { type })

function Form({ onUploaded }: { onUploaded: (address: string) => void }) {
  const [state, setState] = useState<PictureState>({ at: 'idle' })
  return (
    <Field label="Thumbnail" error={state.at === 'failed' ? state.why : undefined}>
      {(wiring) => (
        <PictureField value="/new" state={state} onState={setState} onUploaded={onUploaded}>
          <input {...wiring} />
        </PictureField>
      )}
    </Field>
  )
}

function show() {
  const onUploaded = vi.fn()
  const { container, unmount } = render(<Form onUploaded={onUploaded} />)
  const choose = async (file: File) => {
    fireEvent.change(container.querySelector('input[type=file]') as Element, { target: { files: [file] } })
    await act(async () => {}) // the session is asked for first
  }
  return { onUploaded, unmount, choose }
}

it('tells how far it is, and gives the address', async () => {
  const { onUploaded, choose } = show()
  await choose(picture())
  act(() => Wire.last.upload.onprogress?.({ loaded: 1, total: 4 }))
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('25')
  act(() => Wire.last.upload.onprogress?.({ loaded: 4, total: 4 }))
  expect(screen.getByText('Preparing…')).toBeTruthy()
  await act(async () => Wire.last.answer(200, '{"Key":"artwork/a.jpg"}'))
  expect(onUploaded).toHaveBeenCalledWith('/storage/v1/object/public/artwork/a.jpg')
  expect(screen.queryByRole('progressbar')).toBeNull()
})

it('says what was refused, in words', async () => {
  const { onUploaded, choose } = show()
  await choose(picture('text/plain'))
  expect(screen.getByRole('alert').textContent).toBe('Please choose a JPEG, PNG, WebP or GIF picture.')
  await choose(picture())
  await act(async () => Wire.last.answer(400, '{"message":"Too small."}'))
  expect(screen.getByRole('alert').textContent).toBe('Too small.')
  await choose(picture())
  await act(async () => Wire.last.answer(502, '<html>'))
  expect(screen.getByRole('alert').textContent).toBe('The picture could not be stored. Please try again.')
  await choose(picture())
  await act(async () => Wire.last.onerror())
  expect(screen.getByRole('alert').textContent).toBe('The connection broke off. Please try again.')
  expect(onUploaded).not.toHaveBeenCalled()
})

it('is cancelled by its button, and when the form goes', async () => {
  const { unmount, choose } = show()
  await choose(picture())
  const first = vi.spyOn(Wire.last, 'abort')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel the upload' }))
  expect(first).toHaveBeenCalled()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Upload a picture' }))
  await choose(picture())
  const second = vi.spyOn(Wire.last, 'abort')
  unmount()
  expect(second).toHaveBeenCalled()
})
