// One page turns into the next: the picture of a card grows into that of its course, and shrinks
// back. The style sheet names what a page holds ready for it; a card is named only for the moment.
// Any other page is there at once and fades in: before a browser lets pictures travel it takes one of the whole page, which
// costs up to 100 ms on a phone.

const inView = (element: Element) => {
  const { top, right, bottom, left } = element.getBoundingClientRect()
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
}

const isCourse = (path: string) => /^\/course\/[\w-]+$/.test(path)

/** The picture of the card that leads to a course: the one that was used, else one that can be seen. */
function pictureOf(path: string): HTMLElement | undefined {
  if (!isCourse(path)) return
  const cards = [...document.querySelectorAll(`article a[href="${path}"]`)].flatMap(
    (link) => link.closest('article') ?? [],
  )
  const card = cards.find((candidate) => candidate.contains(document.activeElement)) ?? cards.find(inView)
  const picture = card?.querySelector('.still-ground')
  return picture instanceof HTMLElement && inView(picture) ? picture : undefined
}

const name = (element: HTMLElement | null | undefined, value: string) =>
  element?.style.setProperty('view-transition-name', value)

export function pass(from: string, to: string, show: () => void) {
  const leaving = pictureOf(to)
  if (!leaving && !isCourse(from)) {
    show()
    document.getElementById('content')?.animate({ opacity: [0, 1] }, { duration: 200, easing: 'ease-out' })
    return
  }
  // Two things of one name would stop it all.
  if (leaving) name(document.querySelector<HTMLElement>('[data-passage="still"]'), 'none')
  name(leaving, 'still')
  let arriving: HTMLElement | undefined
  const passage = document.startViewTransition(() => {
    show()
    name(leaving, '')
    if (document.querySelector('[data-passage="still"]')) return
    arriving = pictureOf(from)
    name(arriving, 'still')
  })
  const end = () => name(arriving, '')
  passage.finished.then(end, end)
  // One that the next overtakes, or that a hidden page leaves out, is no failure.
  passage.ready.catch(() => undefined)
}
