// One page turns into the next: the picture of a card grows into that of its course, and shrinks back. Only this one
// picture moves, by its transform alone, which browsers do beside the page's own work. A view transition would first take
// a picture of the whole page and style all of it anew: on a phone that took longer than the movement.

type Moved = { image: HTMLImageElement | null; rect: DOMRect }

/** What the header covers cannot be seen. */
const inView = ({ top, right, bottom, left }: DOMRect) =>
  bottom > (document.querySelector('header')?.offsetHeight ?? 0) && right > 0 && top < innerHeight && left < innerWidth

/** The picture that a course's page opens with. */
const opening = () => document.querySelector<HTMLElement>('[data-passage]')

/** The picture of the card that leads to a page: the one that was used, else one that can be seen. */
function pictureOf(path: string): HTMLElement | undefined {
  if (!/^\/course\/[\w-]+$/.test(path)) return undefined
  const pictures = [...document.querySelectorAll(`article a[href="${path}"]`)].flatMap(
    (link) => link.closest('article')?.querySelector<HTMLElement>('.still-ground') ?? [],
  )
  const isUsed = (picture: HTMLElement) => picture.closest('article')?.contains(document.activeElement)
  const isSeen = (picture: HTMLElement) => inView(picture.getBoundingClientRect())
  const used = pictures.find(isUsed)
  if (used) return isSeen(used) ? used : undefined
  return pictures.find(isSeen)
}

const moved = (picture: HTMLElement | null | undefined): Moved | undefined =>
  picture ? { image: picture.querySelector('img'), rect: picture.getBoundingClientRect() } : undefined

/** Lets a picture come from where another was, in the same shape: it covers that place, and may stand out of it. */
function comeFrom(from: DOMRect, picture: HTMLElement): Promise<unknown> {
  const to = picture.getBoundingClientRect()
  const scale = Math.max(from.width / to.width, from.height / to.height)
  const x = from.left + from.width / 2 - to.left - to.width / 2
  const y = from.top + from.height / 2 - to.top - to.height / 2
  const start = { transform: `translate(${x}px,${y}px) scale(${scale})` }
  const timing = { duration: 300, easing: 'cubic-bezier(0.16,1,0.3,1)', id: 'still' }
  return picture.animate([start, { transform: 'none' }], timing).finished
}

/** Until the course's picture is there, its place shows the card's. */
async function standIn(own: HTMLImageElement, { currentSrc }: HTMLImageElement) {
  own.style.background = `center/cover url("${currentSrc}")`
  await own.decode().catch(() => undefined)
  own.style.background = ''
}

/** A card's picture grows into the course's. */
function grow({ image, rect }: Moved, picture: HTMLElement) {
  const own = picture.querySelector('img')
  if (own && image && !own.complete) void standIn(own, image)
  const frame = picture.parentElement
  frame?.style.setProperty('overflow', 'visible')
  return comeFrom(rect, picture).finally(() => frame?.style.removeProperty('overflow'))
}

/** The course's picture shrinks into that of its card: a copy above the page, for rows cut off what leaves them. */
function shrink({ image, rect }: Moved, card: HTMLElement) {
  if (!image || !inView(rect)) return undefined
  const { left, top, width, height } = card.getBoundingClientRect()
  const copy = new Image()
  copy.src = image.currentSrc
  copy.alt = ''
  const place = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
  const look = { zIndex: 30, objectFit: 'cover', borderRadius: 'var(--radius-card)', pointerEvents: 'none' }
  Object.assign(copy.style, { position: 'fixed', ...look, ...place })
  document.body.append(copy)
  card.style.visibility = 'hidden'
  return comeFrom(rect, copy).finally(() => {
    copy.remove()
    card.style.visibility = ''
  })
}

/** Sets the picture moving, if there is one, until the promise is kept. */
export type Arrive = () => Promise<unknown> | undefined

/** Looks at the page that is left; what it gives back is for the page that has come. */
export function leave(from: string, to: string): Arrive {
  const card = moved(pictureOf(to))
  const course = moved(opening())
  return () => {
    const picture = opening()
    if (picture && card) return grow(card, picture)
    const back = picture || !course ? undefined : pictureOf(from)
    return course && back ? shrink(course, back) : undefined
  }
}
