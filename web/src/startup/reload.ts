const key = 'greenroom-reloaded'

let ahead = 0

/** A load that nobody waits for yet: its failure reloads nothing. */
export async function unhurried(load: Promise<unknown>) {
  ahead += 1
  await load.catch(() => undefined)
  ahead -= 1
}

/** Loads the page anew if the server is there to send it: one that is away for a moment would leave nothing of the page. */
export async function reloadIfServed() {
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer && answer.status < 500) location.reload()
}

/**
 * After a release the files of the old page are gone: the first failed import loads the page
 * anew, once, so that a file that is truly missing does not reload for ever.
 */
export function reloadWhenChunkVanishes() {
  addEventListener('vite:preloadError', () => {
    if (ahead > 0) return
    const now = Date.now()
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (now - last < 60_000) return
    sessionStorage.setItem(key, String(now))
    void reloadIfServed()
  })
}
