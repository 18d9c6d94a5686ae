/** A picture of a film at a moment: a part of a sheet of many. */
export type Tile = { from: number; to: number; sheet: string; x: number; y: number; width: number; height: number }

const stamp = /(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)/

function seconds(text: string): number {
  const [, hours = '0', minutes = '0', rest = '0'] = stamp.exec(text) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)
}

/** Reads the index of a film's pictures; `base` is its own address. */
export function readTiles(text: string, base: string): Tile[] {
  const tiles: Tile[] = []
  for (const block of text.split(/\r?\n\r?\n/)) {
    const [times = '', place = ''] = block
      .split(/\r?\n/)
      .filter((line) => line.includes('-->') || line.includes('#xywh='))
    const [from, to] = times.split('-->')
    const [name = '', box] = place.split('#xywh=')
    const [x, y, width, height] = (box ?? '').split(',').map(Number)
    if (!from || !to || x === undefined || y === undefined || !width || !height) continue
    const sheet = new URL(name, new URL(base, location.href)).pathname
    tiles.push({ from: seconds(from), to: seconds(to), sheet, x, y, width, height })
  }
  return tiles
}

/** The picture of a moment; the last one where the index ends too early. */
export const tileAt = (tiles: readonly Tile[], time: number): Tile | undefined =>
  tiles.find(({ from, to }) => from <= time && time < to) ?? tiles.at(-1)
