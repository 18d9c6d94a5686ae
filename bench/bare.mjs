// The limit of what moves: a page without an app that has our pictures in our places and makes our movements. A machine that
// draws without a graphics card loses frames on this one too.

/** Where the pictures of a page stand. Runs in the page. */
const readPictures = () =>
  [...document.querySelectorAll('main section')].map((section) => ({
    top: section.getBoundingClientRect().top + scrollY,
    height: section.offsetHeight,
    images: [...section.querySelectorAll('img')].map(({ currentSrc, src, width, height }) => {
      return { src: currentSrc || src, width, height }
    }),
  }))

const style = `
  * { margin: 0 }
  body { background: #10121a; color: #fff; font: 16px/1.5 sans-serif }
  main { position: relative }
  section { position: absolute; left: 0; right: 0; display: flex; gap: 12px; overflow-x: auto }
  img { flex: none; border-radius: 12px }
  button { position: absolute; z-index: 1; left: 150px; width: 48px; height: 48px }
  [popover] { border: 0; background: #222; color: #fff; inset: auto 0 0; width: 100%; height: 60vh }
  #more:popover-open { animation: sheet-up 280ms cubic-bezier(.16, 1, .3, 1) }
  #share:popover-open { width: 220px; height: 240px; animation: rise 160ms }
  .beat { animation: beat 420ms }
  @keyframes sheet-up { from { transform: translateY(100%) } }
  @keyframes rise { from { opacity: 0; transform: translateY(12px) } }
  @keyframes beat { 30% { transform: scale(1.45) } 60% { transform: scale(.9) } }`

// Runs in the bare page: a press on a picture lets the large one grow out of it.
function listen(large) {
  document.querySelector('#heart').onclick = ({ currentTarget }) => currentTarget.firstChild.classList.add('beat')
  for (const image of document.querySelectorAll('section img'))
    image.onclick = () => {
      const from = image.getBoundingClientRect()
      const picture = Object.assign(new Image(large.width, large.height), { src: large.src })
      document.querySelector('main').replaceChildren(picture)
      scrollTo(0, 0)
      const to = picture.getBoundingClientRect()
      const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`
      picture.style.transformOrigin = '0 0'
      const timing = { duration: 300, easing: 'cubic-bezier(0.16,1,0.3,1)' }
      picture.animate([{ transform: start }, { transform: 'none' }], timing)
    }
}

const img = ({ src, width, height }) => `<img src="${src}" width="${width}" height="${height}" alt="">`

/** The text of the bare page, of the pictures of the home page and of the one that a course opens with. */
export async function bareOf(page, url, course) {
  const read = async (path) => {
    await page.goto(url + path)
    await page.waitForFunction(() =>
      [...document.images].every(({ complete, loading }) => complete && loading !== 'lazy'),
    )
    return page.evaluate(readPictures)
  }
  const [
    {
      images: [large],
    },
  ] = await read(course)
  const sections = await read('/')
  const rows = sections.map(
    ({ top, height, images }) =>
      `<section style="top:${top}px;height:${height}px">${images.map(img).join('')}</section>`,
  )
  const end = Math.max(...sections.map(({ top, height }) => top + height))
  return `<!doctype html><meta name="viewport" content="width=device-width"><style>${style}</style>
    <main style="height:${end}px">${rows.join('')}
      <button id="heart" style="top:700px"><span style="display:block">♥</span></button>
      <button id="open" style="top:800px" popovertarget="more">i</button>
      <button id="send" style="top:900px" popovertarget="share">s</button>
    </main>
    <div id="more" popover>${'<p>Words of a dialog.</p>'.repeat(8)}</div><div id="share" popover>Words of a menu.</div>
    <script>(${listen})(${JSON.stringify(large)})</script>`
}
