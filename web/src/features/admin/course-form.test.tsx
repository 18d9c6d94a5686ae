import { show } from '@test/show'
import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { CourseForm } from './course-form'
import { blankCourse } from './course-schema'

afterEach(() => void vi.unstubAllGlobals())

function open(isCounted = false) {
  const onDirty = vi.fn()
  const { container, unmount } = show(
    <CourseForm
      label="Add Course"
      action="Save Course"
      values={blankCourse('Acting')}
      categories={['Acting']}
      onSave={async () => undefined}
      onCancel={() => undefined}
      onDirty={onDirty}
      isCounted={isCounted}
    />,
  )
  const choose = async (type: string) => {
    const files = [new File(['x'], 'still', { type })]
    fireEvent.change(container.querySelector('input[type=file]') as Element, { target: { files } })
    await act(async () => {})
  }
  return { onDirty, unmount, choose }
}

it('tells when something is written, and when it is gone', async () => {
  const { onDirty, unmount } = open()
  expect(onDirty).toHaveBeenLastCalledWith(false)
  await userEvent.type(screen.getByLabelText('Title'), 'H')
  expect(onDirty).toHaveBeenLastCalledWith(true)
  await userEvent.clear(screen.getByLabelText('Title'))
  expect(onDirty).toHaveBeenLastCalledWith(false)
  await userEvent.type(screen.getByLabelText('Title'), 'H')
  unmount()
  expect(onDirty).toHaveBeenLastCalledWith(false)
})

it('does not call a picture missing that is on its way', async () => {
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {}
      open() {}
      setRequestHeader() {}
      send() {}
      abort() {}
    },
  )
  const { choose } = open()
  await choose('image/png')
  await userEvent.click(screen.getByRole('button', { name: 'Save Course' }))
  await screen.findByText('The picture is still uploading.')
  expect(screen.queryByText('Required')).toBeNull()
  expect(screen.queryByText('Please fill in all required fields')).toBeNull()
})

it('says one thing at the picture’s field: why it was refused, until another is named', async () => {
  const { choose } = open()
  await userEvent.click(screen.getByRole('button', { name: 'Save Course' }))
  const field = screen.getByLabelText('Thumbnail')
  const said = () => (field.closest('.grid') as Element).querySelectorAll('[role=alert]')
  expect([...said()].map((one) => one.textContent)).toEqual(['Required'])
  await choose('text/plain')
  expect([...said()].map((one) => one.textContent)).toEqual(['Please choose a JPEG, PNG, WebP or GIF picture.'])
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await userEvent.type(field, '/icon.svg')
  expect(said()).toHaveLength(0)
})

it('says where the number of lessons comes from once there is a curriculum', () => {
  open(true)
  expect(screen.getByText('Counted from the curriculum')).toBeTruthy()
  expect(screen.queryByLabelText('Lessons')).toBeNull()
})
