import { broken, type Call, fakeBackend, tooMany } from '@test/backend'
import { workshop } from '@test/catalogue'
import { reader, show, signIn, signOut, start } from '@test/show'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { WorkshopHero } from './workshop-hero'

const home = () => show(<WorkshopHero backdrop={null} />)
const reads = ({ method }: Call) => (method === 'GET' ? { body: [workshop] } : {})
const dialog = () => within(screen.getByRole('dialog'))

async function openForm() {
  await userEvent.click(await screen.findByRole('button', { name: 'Register Now' }))
  return await screen.findByRole('dialog', { name: 'Register for the workshop' })
}

async function fill(name: string, email: string) {
  if (name) await userEvent.type(dialog().getByLabelText('Name'), name)
  if (email) await userEvent.type(dialog().getByLabelText('Email'), email)
  await userEvent.click(dialog().getByRole('button', { name: 'Register Now' }))
}

afterEach(start)

describe('the workshop', () => {
  it('says how many spots are left', async () => {
    fakeBackend(() => ({ body: [{ ...workshop, spots_left: 1 }] }))
    home()
    await screen.findByText('Only 1 of 12 spots left')
  })

  it('stays open for the waitlist when no spot is left', async () => {
    fakeBackend(() => ({ body: [{ ...workshop, spots_left: 0 }] }))
    home()
    await screen.findByText(/All 12 spots taken/)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Register Now' }).disabled).toBe(false)
  })

  it('tells more, and leads from there to the registration', async () => {
    fakeBackend(reads)
    home()
    await userEvent.click(await screen.findByRole('button', { name: 'More Info' }))
    await screen.findByRole('dialog', { name: workshop.title })
    for (const heading of ['About', 'What you will learn', 'Register']) {
      dialog().getByRole('heading', { name: heading })
    }
    dialog().getByText('Take a note')
    await userEvent.click(dialog().getByRole('button', { name: 'Register Now' }))
    await screen.findByRole('dialog', { name: 'Register for the workshop' })
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
  })

  it.each([
    ['', ''],
    ['Mara', ''],
    ['   ', 'mara@greenroom.test'],
  ])('wants every field (%j, %j)', async (name, email) => {
    const backend = fakeBackend(reads)
    home()
    await openForm()
    await fill(name, email)
    await screen.findByText('Please fill in all fields')
    expect(backend.of('POST', 'course_waitlist')).toEqual([])
  })

  it('registers, trimmed and without an account, and closes with its fields cleared', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const backend = fakeBackend(async (call) => {
      if (call.method === 'POST') await held
      return reads(call)
    })
    home()
    await openForm()
    await fill(' Mara ', 'mara@greenroom.test')
    await dialog().findByRole('button', { name: 'Registering...' })
    release()
    await screen.findByText("Success! You've been added to the waitlist. We'll be in touch soon!")
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(backend.of('POST', 'course_waitlist')[0]?.body).toEqual({
      name: 'Mara',
      email: 'mara@greenroom.test',
      course_title: workshop.title,
    })
    await openForm()
    expect(dialog().getByLabelText<HTMLInputElement>('Name').value).toBe('')
  })

  it('takes nothing from a script that fills in every field', async () => {
    const backend = fakeBackend(reads)
    home()
    await openForm()
    fireEvent.change(screen.getByLabelText('Leave this field empty'), { target: { value: 'https://spam.test' } })
    await fill('Mara', 'mara@greenroom.test')
    await screen.findByText('Failed to join waitlist. Please try again.')
    expect(backend.of('POST', 'course_waitlist')).toEqual([])
  })

  it('keeps the form and what was typed when it fails', async () => {
    fakeBackend((call) => (call.method === 'POST' ? broken : reads(call)))
    home()
    await openForm()
    await fill('Mara', 'mara@greenroom.test')
    await screen.findByText('Failed to join waitlist. Please try again.')
    expect(dialog().getByLabelText<HTMLInputElement>('Name').value).toBe('Mara')
  })
  it('says how long to wait when it refuses for too many tries', async () => {
    fakeBackend((call) => (call.method === 'POST' ? tooMany(240) : reads(call)))
    home()
    await openForm()
    await fill('Mara', 'mara@greenroom.test')
    await screen.findByText('Failed to join waitlist. Please try again.')
    await screen.findByText('Try again in 4 minutes')
  })

  const box = (label: string) => dialog().getByLabelText<HTMLInputElement>(label)

  it('knows who is signed in', async () => {
    fakeBackend(reads)
    signIn()
    home()
    await openForm()
    expect([box('Name').value, box('Email').value]).toEqual(['Mara', reader.email])
    await userEvent.clear(box('Email'))
    await userEvent.tab()
    expect(box('Email').value).toBe('')
  })

  it('asks a stranger for everything', async () => {
    fakeBackend(reads)
    signOut()
    home()
    await openForm()
    expect([box('Name').value, box('Email').value]).toEqual(['', ''])
  })

  it('never fills in a field that somebody has begun', async () => {
    fakeBackend(reads)
    home()
    await openForm()
    await userEvent.type(box('Name'), 'M')
    await userEvent.clear(box('Name'))
    act(signIn)
    expect(box('Name').value).toBe('')
    await userEvent.tab()
    expect(box('Name').value).toBe('')
    expect(box('Email').value).toBe(reader.email)
  })
})
