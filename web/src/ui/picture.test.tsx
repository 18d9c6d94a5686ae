import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { acrossPage, Picture, preloadsOf } from './picture'

const named = (slug: string, widths: number[]) =>
  widths.map((width) => `/art/${slug}-${width}.avif ${width}w`).join(', ')

function sourcesOf(slug: string) {
  const { container } = render(<Picture slug={slug} sizes={acrossPage} first />)
  return [...container.querySelectorAll('source')].map((source) => [source.media, source.srcset])
}

describe('a picture that fills a screen', () => {
  it.each(['workshop', 'entrance'])('is offered at twice the width to large screens only (%s)', (slug) => {
    expect(sourcesOf(slug)).toEqual([
      ['(min-width: 1024px)', named(slug, [320, 640, 1280, 2560])],
      ['', named(slug, [320, 640, 1280])],
    ])
  })

  it('is preloaded as the page will ask for it', () => {
    expect(preloadsOf('workshop', acrossPage).map(({ media, imagesrcset }) => [media, imagesrcset])).toEqual([
      ['not all and (min-width: 1024px)', named('workshop', [320, 640, 1280])],
      ['(min-width: 1024px)', named('workshop', [320, 640, 1280, 2560])],
    ])
  })
})

describe('any other picture', () => {
  it('comes in three widths, and is preloaded by one link', () => {
    expect(sourcesOf('creator-economy')).toEqual([['', named('creator-economy', [320, 640, 1280])]])
    expect(preloadsOf('creator-economy', acrossPage)).toHaveLength(1)
  })
})
