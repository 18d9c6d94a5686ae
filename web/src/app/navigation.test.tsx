import { fakeBackend } from '@test/backend'
import { show, signIn, signOut } from '@test/show'
import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { takeWanted } from '@/lib/memory'
import { Footer } from './footer'
import { Navigation } from './navigation'

const box = () => screen.getByRole('searchbox')
const address = () => screen.getByTestId('address').textContent
const hrefs = (links: HTMLElement[]) => links.map((link) => `${link.textContent}: ${link.getAttribute('href')}`)

describe('the navigation', () => {
  it('leads to the pages and to the row of the home page', () => {
    show(<Navigation />)
    expect(hrefs(within(screen.getByRole('list')).getAllByRole('link'))).toEqual([
      'Home: /',
      'My List: /my-list',
      'Waitlist: /waitlist',
      'Recommend: /recommendations',
      'Trending: /#trending',
    ])
    expect(screen.getByRole('link', { name: 'Greenroom, home' }).getAttribute('href')).toBe('/')
    expect(screen.getByRole('link', { name: 'Account' }).getAttribute('href')).toBe('/account')
    expect(screen.getByRole('link', { name: 'Search' }).getAttribute('href')).toBe('/search')
  })

  it('lights where one is, on the page of all that trends too', async () => {
    const lit = (within: HTMLElement) => [...within.querySelectorAll('[aria-current]')].map((link) => link.textContent)
    show(<Navigation />, '/trending')
    expect(lit(screen.getByRole('list'))).toEqual(['Trending'])
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    expect(lit(await screen.findByRole('dialog', { name: 'Menu' }))).toEqual(['Trending'])
  })

  it('shows a stranger the way in and whoever is in their initial', () => {
    signOut()
    show(<Navigation />, '/course/1?a=b')
    fireEvent.click(screen.getByRole('link', { name: 'Sign in' }))
    expect(address()).toBe('/auth')
    expect(takeWanted()).toBe('/course/1?a=b')
    act(signIn)
    const account = screen.getByRole('link', { name: 'Account' })
    expect(account.querySelector('span')?.dataset.initial).toBe('m')
    // Its room stays, so that nothing moves; nobody meets it there.
    expect(screen.getByText('Sign in').className).toContain('invisible')
  })

  it('says in the sheet who is signed in', async () => {
    signIn()
    show(<Navigation />)
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Menu' }))
    expect(sheet.getByText('mara@greenroom.test').isConnected).toBe(true)
    expect(sheet.queryByRole('link', { name: 'Sign in' })).toBeNull()
  })

  it('leads in the sheet to the courses that somebody takes', async () => {
    signIn()
    fakeBackend(({ table }) => ({ body: table === 'enrollments' ? [{ id: 'e1' }] : [] }))
    show(<Navigation />)
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Menu' }))
    expect((await sheet.findByRole('link', { name: 'My Learning' })).getAttribute('href')).toBe('/learn')
  })

  it('searches for what was typed', async () => {
    show(<Navigation />)
    expect(box().getAttribute('placeholder')).toBe('Search courses...')
    await userEvent.type(box(), ' tea & timing {Enter}')
    expect(address()).toBe('/search?q=tea%20%26%20timing')
  })

  it('does nothing for blank text', async () => {
    show(<Navigation />, '/trending')
    await userEvent.type(box(), '   {Enter}')
    expect(address()).toBe('/trending')
  })

  it('opens a sheet with all of it on phones', async () => {
    signOut()
    show(<Navigation />)
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Menu' }))
    expect(sheet.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Home',
      'My List',
      'Waitlist',
      'Recommend',
      'Trending',
      'Account',
      'Sign in',
    ])
    await userEvent.click(sheet.getByRole('link', { name: 'Waitlist' }))
    expect(address()).toBe('/waitlist')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

it('the footer leads to the other pages and to the social profiles', () => {
  show(<Footer />)
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual([
    '/contact',
    '/investor-relations',
    '/sponsorships',
    '/help-center',
    '/recommendations',
    '/privacy-policy',
    '/terms-and-conditions',
    'https://instagram.test/greenroom',
    'https://youtube.test/greenroom',
    'https://x.test/greenroom',
    'https://linkedin.test/greenroom',
  ])
})
