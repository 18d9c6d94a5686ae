/** Lets a panel in the middle of the screen grow out of what was pressed to open it. */
export function growFromOpener(panel: HTMLElement | null) {
  const opener = document.activeElement
  if (!panel || !opener || opener === document.body || panel.contains(opener)) return
  const from = opener.getBoundingClientRect()
  // The panel has begun to grow: its middle is where it will be, its sides are not.
  const now = panel.getBoundingClientRect()
  const x = from.left + from.width / 2 - (now.left + now.width / 2 - panel.offsetWidth / 2)
  const y = from.top + from.height / 2 - (now.top + now.height / 2 - panel.offsetHeight / 2)
  panel.style.transformOrigin = `${Math.round(x)}px ${Math.round(y)}px`
}
