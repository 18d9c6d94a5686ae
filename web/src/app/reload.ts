const key = 'greenroom-reloaded'

let ahead = 0

/** A load that nobody waits for yet: its failure reloads nothing. */
export async function unhurried(load: Promise<unknown>) {
  ahead += 1
  await load.catch(() => undefined)
  ahead -= 1
}

/**
 * After a release the files of the old page are gone: the first failed import loads the page
 * anew, once, so that a file that is truly missing does not reload for ever.
 */
export function reloadWhenChunkVanishes() {
  addEventListener('vite:preloadError', (event) => {
    // Offline the page itself could not be had either.
    if (ahead > 0 || !navigator.onLine) return
    const now = Date.now()
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (now - last < 60_000) return
    event.preventDefault()
    sessionStorage.setItem(key, String(now))
    location.reload()
  })
}
