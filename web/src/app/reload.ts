const key = 'greenroom-reloaded'

/**
 * After a release the files of the old page are gone: the first failed import loads the page
 * anew, once, so that a file that is truly missing does not reload for ever.
 */
export function reloadWhenChunkVanishes() {
  addEventListener('vite:preloadError', (event) => {
    const now = Date.now()
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (now - last < 60_000) return
    event.preventDefault()
    sessionStorage.setItem(key, String(now))
    location.reload()
  })
}
