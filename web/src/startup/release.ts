// What lies below the screen waits (`ahead` in styles/base.css, `loading` of pictures) so that the page opens quickly. Once
// it has nothing else to do, it is brought in a little at a time: a picture of the whole page has all of it, and who
// scrolls finds it there. Whoever presses or scrolls comes first: a row that is laid out meanwhile takes several frames.

type Connection = { saveData?: boolean }

/** How long a press or a scroll may set something moving, in ms. */
const answer = 600
let quietAt = 0

const noteReader = () => {
  quietAt = performance.now() + answer
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

const turn = () => ('requestIdleCallback' in globalThis ? new Promise((done) => requestIdleCallback(done)) : pause(100))

async function idle() {
  await turn()
  while (performance.now() < quietAt) {
    await pause(quietAt - performance.now())
    await turn()
  }
}

const loaded = (image: HTMLImageElement) => image.decode().catch(() => undefined)

export async function releaseAhead() {
  for (const event of ['pointerdown', 'keydown', 'scroll', 'wheel', 'touchmove'])
    addEventListener(event, noteReader, { passive: true, capture: true })
  for (const part of document.querySelectorAll<HTMLElement>('.ahead, [class*=":ahead"]')) {
    await idle()
    part.style.contentVisibility = 'visible'
  }
  const { connection } = navigator as { connection?: Connection }
  if (connection?.saveData) return
  for (const image of document.querySelectorAll<HTMLImageElement>('img[loading=lazy]')) {
    await idle()
    image.loading = 'eager'
    await loaded(image)
  }
}
