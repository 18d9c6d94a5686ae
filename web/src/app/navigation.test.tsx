import { show } from '@test/show'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
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
