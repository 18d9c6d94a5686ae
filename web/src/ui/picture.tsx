import { type RefObject, useLayoutEffect, useRef } from 'react'
import tints from './tints.json'

const known: Record<string, string | undefined> = tints
const widths = [320, 640, 1280]

/** The `sizes` of a picture behind a page's head: it covers a tall field on phones and is wider there than the screen. */
export const acrossPage = '(max-width: 639px) 170vw, 100vw'

/** The `sizes` of a picture beside the words of a page's head, and above them on phones. */
export const besideWords = '(max-width: 639px) 125vw, 70vw'

/** The pictures that fill a screen are there once more for large ones. A phone's density would ask for them too. */
const large = ['workshop', 'entrance']
const onLarge = '(min-width: 1024px)'

/** A picture in each of its widths, which stand in its address between these parts. */
export const widthsOf = (before: string, after: string, more: number[] = []) =>
  [...widths, ...more].map((width) => `${before + width + after} ${width}w`).join(', ')

const srcSet = (slug: string, more?: number[]) => widthsOf(`/art/${slug}-`, '.avif', more)

/** The name of the rendered picture that an address stands for; '' when it is another's. */
export function slugOf(address: string): string {
  const slug = /^\/art\/([a-z0-9-]+)\.webp$/.exec(address)?.[1] ?? ''
  return slug in known ? slug : ''
}

/** What the head says so that the picture is fetched before the page is read. */
export function preloadsOf(slug: string, sizes: string) {
  const link = (media?: string, more?: number[]) => ({
    href: `/art/${slug}-1280.avif`,
    as: 'image',
    type: 'image/avif',
    media,
    imagesrcset: srcSet(slug, more),
    imagesizes: sizes,
    fetchpriority: 'high',
  })
  return large.includes(slug) ? [link(`not all and ${onLarge}`), link(onLarge, [2560])] : [link()]
}

type PictureProps = {
  slug: string
  /** How wide it is shown, as the `sizes` of an image. */
  sizes: string
  /** The picture that a page opens with is fetched first; the others when they come near. */
  first?: boolean
  className?: string
  image?: RefObject<HTMLImageElement | null>
  onError?: () => void
}

/** The colours of a picture from left to right. */
const tintOf = (slug: string) => `linear-gradient(90deg,${known[slug]?.match(/.../g)?.map((colour) => `#${colour}`)})`

/**
 * A rendered picture in the width that suits the screen, over its own colours until it is there. The few browsers without
 * AVIF get the one WebP that there is of it.
 */
export function Picture({ slug, sizes, first = false, className, image, onError }: PictureProps) {
  const own = useRef<HTMLImageElement>(null)
  const element = image ?? own
  // The server's markup has no inline styles, and as state every picture of a page would be rendered twice.
  useLayoutEffect(() => {
    if (element.current && !element.current.complete) element.current.style.backgroundImage = tintOf(slug)
  }, [element, slug])
  return (
    <picture>
      {large.includes(slug) && <source media={onLarge} type="image/avif" srcSet={srcSet(slug, [2560])} sizes={sizes} />}
      <source type="image/avif" srcSet={srcSet(slug)} sizes={sizes} />
      <img
        ref={element}
        src={`/art/${slug}.webp`}
        alt=""
        width={1280}
        height={720}
        {...(first ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const, decoding: 'async' as const })}
        onError={onError}
        className={className}
      />
    </picture>
  )
}
