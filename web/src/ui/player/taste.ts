// How somebody likes to watch, in this browser. What an account keeps of it (speed, captions) comes from its lessons.

export type Taste = { volume: number; muted: boolean; speed: number; captions: string }

const key = 'greenroom-player'
const plain: Taste = { volume: 1, muted: false, speed: 1, captions: '' }

export function readTaste(): Taste {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Taste>
    return { ...plain, ...kept }
  } catch {
    return plain
  }
}

export function keepTaste(change: Partial<Taste>) {
  try {
    localStorage.setItem(key, JSON.stringify({ ...readTaste(), ...change }))
  } catch {
    // Without storage a taste lasts as long as the page.
  }
}
