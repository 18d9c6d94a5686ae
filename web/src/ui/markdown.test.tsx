import { show } from '@test/show'
import { act, screen } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, it, vi } from 'vitest'
import { beginningOf, Markdown } from './markdown'

const drawn = (text: string) => {
  const { container } = show(<Markdown text={text} />)
  return container.querySelector('.prose') as HTMLElement
}

describe('the text of a lesson', () => {
  it('is drawn by the server up to the end of a block, and whole after that', async () => {
    const text = Array.from({ length: 900 }, (_, index) => `Block ${index}. ${'word '.repeat(20)}`).join('\n\n')
    const all = <Markdown text={text} />
    const container = document.createElement('div')
    container.innerHTML = renderToString(<MemoryRouter>{all}</MemoryRouter>)
    const blocks = () => [...container.querySelectorAll('p')].map((block) => block.textContent)
    const first = blocks()
    expect(first.join('').length).toBeGreaterThan(4_000)
    expect(first.join('').length).toBeLessThan(9_000)
    expect(first.at(-1)).toMatch(/^Block \d+\. (word ){19}word$/)
    const onRecoverableError = vi.fn()
    await act(async () => hydrateRoot(container, <MemoryRouter>{all}</MemoryRouter>, { onRecoverableError }))
    expect(onRecoverableError).not.toHaveBeenCalled()
    expect(blocks()).toHaveLength(900)
  })

  it.each([
    ['one line', 'word '.repeat(19_000)],
    ['no place to cut', '\u{1F3AC}'.repeat(24_000)],
    ['quotes in quotes', `${'> '.repeat(4000)}said ${'> '.repeat(44_000)}`],
    ['stars in stars', `${'**a '.repeat(1000)}${'b** '.repeat(1000)}${'word '.repeat(19_000)}`],
  ])('of %s goes no further on the server either', (_, text) => {
    expect(renderToString(<Markdown text={beginningOf(text)} />).length).toBeLessThan(200_000)
    expect(beginningOf(text).length).toBeLessThanOrEqual(8192)
    expect(text.startsWith(beginningOf(text))).toBe(true)
  })

  it('has its largest headings right below those of the page', () => {
    drawn('### Light\n\n#### Window\n\n##### Shade')
    expect(screen.getByRole('heading', { level: 2, name: 'Light' }).tagName).toBe('H2')
    expect(screen.getByRole('heading', { level: 3, name: 'Window' }).tagName).toBe('H3')
    expect(screen.getByRole('heading', { level: 4, name: 'Shade' }).tagName).toBe('H4')
  })

  it.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<iframe src="//elsewhere.test"></iframe>',
    'a <b onclick=alert(1)>word</b>',
    '[press](javascript:alert(1))',
    '[press](data:text/html,x)',
    '![seen](https://elsewhere.test/pixel.gif)',
    '![seen](//elsewhere.test/pixel.gif)',
    '[press][ref]\n\n[ref]: javascript:alert(1)',
    // What a browser drops from an address, or reads as a slash, would make these another site's.
    '![seen](/&#9;/elsewhere.test/pixel.gif)',
    '[press](/&#9;/elsewhere.test/login)',
    '[press](/&#10;\\\\elsewhere.test)',
    '[press](/\\\\elsewhere.test)',
    '[press](</ /elsewhere.test>)',
    // Of this site only its pictures: what else it answers is not for a text to ask.
    '![seen](/auth/v1/verify?token=a)',
    '![seen](/art/../auth/v1/verify?token=a)',
    '![seen](/storage/%2E./auth/v1/verify?token=a)',
  ])('makes no element and no request of %s', (text) => {
    const prose = drawn(text)
    expect(prose.querySelectorAll('img, script, iframe, b, a, [onclick], [onerror]')).toHaveLength(0)
    expect(prose.textContent).not.toBe('')
  })

  it('keeps pictures of this site, and says where a link leads', () => {
    const prose = drawn(
      '![A lamp](/art/lamp.webp "The key light")\n\n[inside](/trending) [outside](https://example.com)',
    )
    expect(prose.querySelector('figure img')?.getAttribute('src')).toBe('/art/lamp.webp')
    expect(prose.querySelector('figcaption')?.textContent).toBe('The key light')
    expect(drawn('![B](/storage/v1/object/public/b.webp)').querySelector('img')).not.toBeNull()
    expect(screen.getByRole('link', { name: 'inside' }).getAttribute('target')).toBeNull()
    expect(screen.getByRole('link', { name: 'outside' }).getAttribute('rel')).toContain('noopener')
  })

  it('draws lists, boxes to tick, quotes and code', () => {
    const prose = drawn('1. one\n2. two\n\n- [ ] open\n- [x] *done*\n\n> said\n\n```\na < b\n```\n\n`c` &amp; &nosuch;')
    expect(prose.querySelectorAll('ol li')).toHaveLength(2)
    expect([...prose.querySelectorAll('li[data-box]')].map((item) => item.textContent)).toEqual(['open', 'Done: done'])
    expect(prose.querySelector('blockquote')?.textContent).toBe('said')
    expect(prose.querySelector('pre')?.textContent).toBe('a < b')
    expect(prose.lastElementChild?.textContent).toBe('c & &nosuch;')
  })
})
