package site

import "strings"

// starter brings the app in when what the page opens with has been seen: a rendered page is whole without its script, so
// pictures and fonts have the line to themselves. When all have come and the browser has reported a paint, two more frames
// put the last of them on the screen. The clock is for a picture that does not come, and for a hidden tab, which paints
// nothing. Whoever presses a button before cannot wait: the app comes at once, and finds the button marked. It takes the
// template away when it is there (web/src/startup/early-press.ts). A blank search does nothing, with the app and before it.
const starter = `(() => {
  const scripts = document.getElementById('scripts')
  const begin = () => document.head.append(scripts.content)
  const seen = (_, observer) => {
    observer.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(begin))
  }
  addEventListener('load', () => new PerformanceObserver(seen).observe({ type: 'paint', buffered: true }))
  setTimeout(begin, 2000)
  addEventListener('click', ({ target }) => {
    const button = target.closest('button[type=button]')
    if (!button || !scripts.isConnected) return
    document.querySelector('[data-pressed]')?.removeAttribute('data-pressed')
    button.dataset.pressed = ''
    begin()
  })
  addEventListener('submit', (event) => {
    const { q } = event.target.elements
    if (q && !q.value.trim()) event.preventDefault()
  })
})()`

// later puts script elements where the starter finds them; nothing of a template element is fetched before.
func later(scripts []string) string {
	return `<template id="scripts">` + strings.Join(scripts, "") + `</template><script>` + starter + `</script>`
}
