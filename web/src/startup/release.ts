// What lies below the screen waits (`ahead` in styles/base.css, `loading` of pictures) so that the page opens quickly. Once
// it has nothing else to do, it is brought in a little at a time: a picture of the whole page has all of it, and who
// scrolls finds it there.

type Connection = { saveData?: boolean }

const idle = () =>
  new Promise<void>((done) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => done())
    else setTimeout(done, 100)
  })

const loaded = (image: HTMLImageElement) => image.decode().catch(() => undefined)

export async function releaseAhead() {
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
