import { fakeBackend } from '@test/backend'
import { courses } from '@test/catalogue'
import { show } from '@test/show'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { allOf, categoryRow, gelOf, trendingRow } from './api'
import { CategoryStrip } from './category-strip'
import { Countdown } from './countdown'
import { CourseRow } from './course-row'
import { ShareMenu } from './share-menu'
import { Still } from './still'

describe('a row', () => {
  it('shows its courses under its heading and asks for six', async () => {
    const backend = fakeBackend(() => ({ body: courses }))
    show(<CourseRow title="Trending Now" to="/trending" read={trendingRow} />)
    const row = within(await screen.findByRole('region', { name: 'Trending Now' }))
    expect(await row.findAllByRole('article')).toHaveLength(2)
    // One link under one name, which a voice can say as it reads.
    expect(row.getByRole('link', { name: 'Trending Now See all' }).getAttribute('href')).toBe('/trending')
    expect(backend.calls[0]?.query.get('limit')).toBe('6')
    expect(backend.calls[0]?.query.get('rating')).toBe('gte.4.8')
    expect(backend.calls[0]?.query.get('order')).toBe('rating.desc,created_at.desc,id.asc')
  })

  it('says how many courses of its category there are, and leads to all of them', async () => {
    const backend = fakeBackend(() => ({ body: courses, total: 1207 }))
    const category = 'Acting & Performance'
    show(<CourseRow title={category} to={allOf(category)} read={categoryRow(category)} />)
    const link = await screen.findByRole('link', { name: `${category} See all 1,207` })
    expect(link.getAttribute('href')).toBe('/search?category=Acting%20%26%20Performance')
    expect(within(link).getByRole('heading').textContent).toBe(category)
    expect(backend.calls[0]?.headers.get('prefer')).toContain('count=exact')
  })

  it('numbers its cards where they have ranks', async () => {
    fakeBackend(() => ({ body: courses }))
    show(<CourseRow title="Trending Now" read={trendingRow} look="ranked" />)
    const items = (await screen.findAllByRole('article')).map((card) => card.closest('li'))
    expect(items.map((item) => item?.firstElementChild?.textContent)).toEqual(['1', '2'])
  })

  it('tells more of a course while a mouse rests on its card, and asks for nothing when it passes', async () => {
    const backend = fakeBackend(({ query }) => ({ body: query.has('id') ? [courses[0]] : courses }))
    show(<CourseRow title="Trending Now" read={trendingRow} />)
    const [card] = (await screen.findAllByRole('article')) as [HTMLElement]
    fireEvent.pointerEnter(card, { pointerType: 'mouse' })
    expect((await screen.findByText('Scenes, notes and a finished tape.')).isConnected).toBe(true)
    fireEvent.pointerLeave(card)
    expect(screen.queryByText('Scenes, notes and a finished tape.')).toBeNull()
    expect(backend.calls.filter(({ query }) => query.has('id'))).toHaveLength(1)
  })

  it('is not there when it has no course', async () => {
    const backend = fakeBackend(() => ({ body: [] }))
    show(<CourseRow title="Coming Soon" read={trendingRow} />)
    await waitFor(() => expect(backend.calls).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull())
  })

  it('scrolls by 400 px for each click of an arrow', async () => {
    fakeBackend(() => ({ body: courses }))
    const { container } = show(<CourseRow title="Trending Now" read={trendingRow} />)
    await screen.findAllByRole('article')
    const list = container.querySelector('ul') as HTMLElement
    const scrollTo = vi.fn()
    Object.assign(list, { scrollTo, onscrollend: null })
    Object.defineProperties(list, {
      scrollWidth: { value: 2000 },
      clientWidth: { value: 800 },
      scrollLeft: { value: 200 },
    })
    fireEvent.scroll(list)
    const press = (way: string) => userEvent.click(screen.getByRole('button', { name: `${way} in Trending Now` }))
    await press('Next')
    await press('Next')
    await press('Previous')
    expect(scrollTo.mock.calls.map(([to]) => to.left)).toEqual([600, 1000, 600])
    // Once it stands, the next step begins where it stands.
    fireEvent(list, new Event('scrollend', { bubbles: false }))
    await press('Previous')
    expect(scrollTo.mock.lastCall?.[0].left).toBe(0)
  })

  it('is walked with the arrow keys', async () => {
    fakeBackend(() => ({ body: courses }))
    show(<CourseRow title="Trending Now" read={trendingRow} />)
    const [first, second] = await screen.findAllByRole('article')
    within(first as HTMLElement)
      .getByRole('link')
      .focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(second?.contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('{Home}')
    expect(first?.contains(document.activeElement)).toBe(true)
  })
})

describe('the category strip', () => {
  it('has All and the six categories in their order, and chooses one', async () => {
    const choose = vi.fn()
    show(<CategoryStrip value="" onChange={choose} panel="rows" />)
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'All',
      'Creator Economy',
      'Acting & Performance',
      'AI Tools',
      'Content Creation',
      'Business & Networking',
      'Marketing & Growth',
    ])
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('All')
    await userEvent.click(screen.getByRole('tab', { name: 'AI Tools' }))
    expect(choose).toHaveBeenLastCalledWith('AI Tools')
  })

  it('is walked with the arrow keys, round its ends', async () => {
    const choose = vi.fn()
    show(<CategoryStrip value="" onChange={choose} panel="rows" />)
    screen.getByRole('tab', { name: 'All' }).focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(choose).toHaveBeenLastCalledWith('Marketing & Growth')
    await userEvent.keyboard('{End}')
    expect(choose).toHaveBeenLastCalledWith('Marketing & Growth')
  })
})

describe('a countdown', () => {
  afterEach(() => vi.useRealTimers())

  it('runs to a week after the page was loaded, and is refreshed each minute', () => {
    vi.useFakeTimers({ now: performance.timeOrigin + 1000, toFake: ['Date', 'setInterval', 'clearInterval'] })
    show(<Countdown launchAt={null} />)
    act(() => vi.advanceTimersByTime(60_000))
    expect(screen.getByText('6d 23h 58m')).toBeTruthy()
    act(() => vi.advanceTimersByTime(60_000))
    expect(screen.getByText('6d 23h 57m')).toBeTruthy()
  })

  it('runs to the launch where one is set', () => {
    vi.useFakeTimers({ now: Date.parse('2026-12-01T00:00:00Z'), toFake: ['Date', 'setInterval', 'clearInterval'] })
    show(<Countdown launchAt="2026-12-03T03:06:00+00:00" />)
    act(() => vi.advanceTimersByTime(60_000))
    expect(screen.getByText('2d 3h 5m')).toBeTruthy()
  })
})

describe('a still', () => {
  const pictureIn = (container: HTMLElement) => container.querySelector('img') as HTMLImageElement

  it('falls back to the picture of its category, and to a drawing when that fails too', async () => {
    const { container } = show(<Still course={{ ...courses[0], thumbnail: '/art/gone.webp' }} />)
    expect(pictureIn(container).getAttribute('src')).toBe('/art/gone.webp')
    fireEvent.error(pictureIn(container))
    expect(pictureIn(container).getAttribute('src')).toBe(`/art/${gelOf(courses[0].category)}.webp`)
    fireEvent.error(pictureIn(container))
    await waitFor(() => expect(container.querySelector('svg')).not.toBeNull())
    expect(container.querySelector('img')).toBeNull()
  })

  it('is drawn where neither course nor category has a picture', async () => {
    const { container } = show(<Still course={{ ...courses[0], category: 'Juggling', thumbnail: '' }} />)
    await waitFor(() => expect(container.querySelector('svg')).not.toBeNull())
  })

  it('offers a picture that was uploaded here in the widths that were made of it, and another as it is', () => {
    const made = '/storage/v1/object/public/artwork/courses/0b5e8f3a-8f0e-4c0b-9a53-2f1d3f6f7a10'
    const { container } = show(<Still course={{ ...courses[0], thumbnail: `${made}/1280.jpg` }} sizes="50vw" />)
    expect(pictureIn(container).getAttribute('srcset')).toBe(
      `${made}/320.jpg 320w, ${made}/640.jpg 640w, ${made}/1280.jpg 1280w`,
    )
    expect(pictureIn(container).getAttribute('sizes')).toBe('50vw')
    for (const other of [
      `https://elsewhere.example${made}/1280.jpg`,
      '/storage/v1/object/public/artwork/mine/1280.jpg',
    ]) {
      const { container } = show(<Still course={{ ...courses[0], thumbnail: other }} />)
      expect(pictureIn(container).getAttribute('src')).toBe(other)
      expect(pictureIn(container).getAttribute('srcset')).toBeNull()
    }
  })

  it('offers our own pictures in every width, and once for browsers without AVIF', () => {
    const { container } = show(<Still course={{ ...courses[0], thumbnail: '/art/the-self-tape-lab.webp' }} />)
    expect(container.querySelector('source')?.getAttribute('srcset')).toBe(
      [320, 640, 1280].map((width) => `/art/the-self-tape-lab-${width}.avif ${width}w`).join(', '),
    )
    expect(pictureIn(container).getAttribute('src')).toBe('/art/the-self-tape-lab.webp')
    expect(pictureIn(container).style.backgroundImage).toMatch(/^linear-gradient\(90deg(, ?(#|rgb).+){6}\)$/)
  })
})

describe('sharing', () => {
  it('opens mail and networks in new tabs and copies the link', async () => {
    const user = userEvent.setup()
    show(<ShareMenu title="Timing & Truth" />)
    await user.click(screen.getByRole('button', { name: 'Share' }))
    const links = (await screen.findAllByRole('menuitem')).filter((item) => item.tagName === 'A')
    expect(links.map((link) => link.textContent)).toEqual(['Email', 'WhatsApp', 'Facebook', 'Twitter', 'LinkedIn'])
    for (const link of links) expect(link.getAttribute('target')).toBe('_blank')
    expect(links[0]?.getAttribute('href')).toBe(
      'mailto:?subject=Timing%20%26%20Truth&body=http%3A%2F%2Flocalhost%3A8080%2F',
    )
    await user.click(screen.getByRole('menuitem', { name: 'Copy link' }))
    expect(await screen.findByText('Link copied!')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe('http://localhost:8080/')
  })

  it('says when the link cannot be copied', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
    show(<ShareMenu title="Timing" />)
    await user.click(screen.getByRole('button', { name: 'Share' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }))
    expect(await screen.findByText('Failed to copy')).toBeTruthy()
  })

  it("uses the device's own sheet where there is one", async () => {
    const user = userEvent.setup()
    const share = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }))
    show(<ShareMenu title="Timing" />)
    await user.click(screen.getByRole('button', { name: 'Share' }))
    await user.click(await screen.findByRole('menuitem', { name: 'More ways to share' }))
    expect(await screen.findByText('Shared successfully!')).toBeTruthy()
    expect(share).toHaveBeenCalledWith({ title: 'Timing', url: 'http://localhost:8080/' })
  })
})
