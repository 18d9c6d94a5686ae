// Which rows of a long list can be seen. Rows have one height, and at most one of them is open, with
// a panel below it of any height.

export type Layout = { count: number; rowHeight: number; openIndex: number; panelHeight: number }

export const heightOf = ({ count, rowHeight, openIndex, panelHeight }: Layout) =>
  count * rowHeight + (openIndex >= 0 ? panelHeight : 0)

export const topOf = (index: number, { rowHeight, openIndex, panelHeight }: Layout) =>
  index * rowHeight + (openIndex >= 0 && index > openIndex ? panelHeight : 0)

function indexAt(y: number, { rowHeight, openIndex, panelHeight }: Layout): number {
  const panelTop = (openIndex + 1) * rowHeight
  if (openIndex < 0 || y < panelTop) return Math.floor(y / rowHeight)
  if (y < panelTop + panelHeight) return openIndex
  return Math.floor((y - panelHeight) / rowHeight)
}

const spare = 8
const step = 4

/** The rows between two heights of the list and some more, in steps, so that not every pixel is a change. */
export function visible(top: number, bottom: number, layout: Layout): { first: number; last: number } {
  const first = Math.max(0, indexAt(Math.max(0, top), layout) - spare)
  const last = Math.min(layout.count - 1, indexAt(Math.max(0, bottom), layout) + spare)
  return { first: first - (first % step), last: Math.min(layout.count - 1, last - (last % step) + step) }
}
